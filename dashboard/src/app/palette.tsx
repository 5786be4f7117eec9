import { Trans, useLingui } from '@lingui/react/macro';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Search, User } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { Dialog, Modal, ModalOverlay } from 'react-aria-components';
import { useMay } from '../api/session.ts';
import dialog from '../ui/dialog.module.css';
import { linkTo } from '../ui/links.ts';
import list from '../ui/list.module.css';
import { type Command, type CommandSection, useCommands } from './commands.tsx';
import { contactsLike, type Found } from './find-contacts.ts';
import styles from './palette.module.css';

interface PaletteProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onShowKeys: () => void;
}

/** One field that leads to every page and contact, and to what can be done from anywhere. */
export function Palette({ isOpen, onClose, onShowKeys }: PaletteProps) {
  const { t } = useLingui();
  return (
    <ModalOverlay isOpen={isOpen} onOpenChange={(opens) => !opens && onClose()} isDismissable className={`${dialog.shade} ${dialog.center}`}>
      <Modal className={`${dialog.modal} ${styles.palette}`}>
        <Dialog aria-label={t`Go to`} className={dialog.dialog}>
          <Content onClose={onClose} onShowKeys={onShowKeys} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function Content({ onClose, onShowKeys }: Omit<PaletteProps, 'isOpen'>) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const id = useId();
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const sections = withPeople(useCommands(text, onShowKeys), useContacts(text), t`People`);
  const all = sections.flatMap(({ commands }) => commands);
  const chosen = all[Math.min(active, all.length - 1)];

  const run = (command: Command | undefined): void => {
    if (!command) return;
    onClose();
    command.run((address) => void navigate(linkTo(address)));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = chosen ? all.indexOf(chosen) : 0;
    if (event.key === 'ArrowDown') setActive((at + 1) % all.length);
    else if (event.key === 'ArrowUp') setActive((at + all.length - 1) % all.length);
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) run(chosen);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div className={styles.field}>
        <Search aria-hidden size={18} />
        <input
          // biome-ignore lint/a11y/noAutofocus: the person opened the palette to type
          autoFocus
          role="combobox"
          aria-label={t`Go to`}
          aria-expanded="true"
          aria-controls={`${id}list`}
          aria-activedescendant={chosen && id + chosen.key}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          placeholder={t`A page, a person, the id of a message, or an action`}
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <Results id={id} sections={sections} chosen={chosen} onRun={run} onPoint={(command) => setActive(all.indexOf(command))} />
    </>
  );
}

interface ResultsProps {
  readonly id: string;
  readonly sections: readonly CommandSection[];
  readonly chosen: Command | undefined;
  readonly onRun: (command: Command) => void;
  readonly onPoint: (command: Command) => void;
}

function Results({ id, sections, chosen, onRun, onPoint }: ResultsProps) {
  const { t } = useLingui();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (chosen) box.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  return (
    <div ref={box} id={`${id}list`} role="listbox" aria-label={t`Results`} className={`${list.list} ${styles.results}`}>
      {sections.map(({ key, title, commands }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields of a form
        <div key={key} role="group" aria-labelledby={id + key}>
          <div id={id + key} role="presentation" className={list.heading}>
            {title}
          </div>
          {commands.map((command) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus and names the chosen option
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
            <div
              key={command.key}
              id={id + command.key}
              role="option"
              aria-selected={command === chosen}
              className={`${list.item} ${styles.option}`}
              onPointerMove={() => command !== chosen && onPoint(command)}
              onClick={() => onRun(command)}
            >
              {command.icon}
              <bdi>{command.label}</bdi>
              {command.hint && <span className={list.muted}>{command.hint}</span>}
            </div>
          ))}
        </div>
      ))}
      {sections.length === 0 && (
        <p role="presentation" className={list.none}>
          <Trans>Nothing found</Trans>
        </p>
      )}
    </div>
  );
}

function withPeople(sections: readonly CommandSection[], people: readonly Found[], title: string): readonly CommandSection[] {
  if (people.length === 0) return sections;
  const commands = people.map(
    ({ id, name, address }): Command => ({ key: id, label: name, hint: address, icon: <User aria-hidden />, run: (go) => go(`/people/${id}`) }),
  );
  return [...sections, { key: 'people', title, commands }];
}

/** Milliseconds without a letter after which contacts are looked for. */
const PAUSE = 200;
/** Shorter texts are the beginnings of too many names. */
const SHORTEST = 3;

function useContacts(text: string): readonly Found[] {
  const mayRead = useMay('contacts:read');
  const [wanted, setWanted] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setWanted(text.trim()), PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  const isWanted = mayRead && wanted.length >= SHORTEST;
  const { data } = useQuery({ ...contactsLike(wanted), enabled: isWanted, placeholderData: keepPreviousData });
  return isWanted && text.trim() !== '' ? (data ?? []) : [];
}
