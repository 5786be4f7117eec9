import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { Drawer } from '../../ui/drawer.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Panel } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './gallery.module.css';

export function Overlays() {
  const [open, setOpen] = useState<string | null>(null);
  const [tab, setTab] = useState('one');
  const close = () => setOpen(null);
  const actions = (
    <>
      <Button onPress={close}>Cancel</Button>
      <Button look="primary" onPress={close}>
        Save
      </Button>
    </>
  );
  return (
    <>
      <Panel title="Dialogs and menus">
        <div className={styles.line}>
          {['Dialog', 'Large dialog', 'Drawer', 'Confirm', 'Confirm by name'].map((name) => (
            <Button key={name} onPress={() => setOpen(name)}>
              {name}
            </Button>
          ))}
          <Menu
            label="More actions"
            items={[
              { key: 'edit', label: 'Edit', onAction: () => {} },
              { key: 'copy', label: 'Make a copy', onAction: () => {} },
              { key: 'archive', label: 'Archive', isDisabled: true, onAction: () => {} },
              { key: 'delete', label: 'Delete', tone: 'danger', onAction: () => {} },
            ]}
          />
        </div>
        <Dialog title="New list" isOpen={open === 'Dialog'} onClose={close} actions={actions}>
          <TextField label="Name" />
          <TextField label="About" rows={4} hint="For colleagues" />
        </Dialog>
        <Dialog title="A large one" size="large" isOpen={open === 'Large dialog'} onClose={close} actions={actions}>
          {Array.from({ length: 30 }, (_, i) => `Line ${i + 1} of what is long`).map((line) => (
            <p key={line}>{line}</p>
          ))}
        </Dialog>
        <Drawer title="Why this message was not sent" isOpen={open === 'Drawer'} onClose={close} actions={actions}>
          <p>The address is suppressed since 3 May.</p>
        </Drawer>
        <ConfirmDialog title="Delete the key “Shop”?" isOpen={open === 'Confirm'} onClose={close} confirmLabel="Delete" onConfirm={close}>
          What uses it gets 401 from now on.
        </ConfirmDialog>
        <ConfirmDialog
          title="Erase Ada Lovelace?"
          isOpen={open === 'Confirm by name'}
          onClose={close}
          confirmLabel="Erase"
          onConfirm={close}
          typedName="Ada Lovelace"
          error="The contact was changed meanwhile."
          requestId="req_01M8FE458SRK2SM8CAJKWGD9TN"
        >
          This cannot be undone. Her data goes from contacts, messages and the log.
        </ConfirmDialog>
      </Panel>
      <Panel title="Tabs">
        <Tabs
          label="Views"
          selected={tab}
          onSelect={setTab}
          tabs={['one', 'two', 'three'].map((key) => ({ key, title: `Tab ${key}`, content: <p>Content of tab {key}</p> }))}
        />
      </Panel>
    </>
  );
}
