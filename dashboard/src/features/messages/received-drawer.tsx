import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../api/client.ts';
import { noteOf } from '../../api/errors.ts';
import { DefinitionList } from '../../ui/definition-list.tsx';
import { Drawer } from '../../ui/drawer.tsx';
import { Id } from '../../ui/id.tsx';
import { MailFrame } from '../../ui/mail-frame.tsx';
import { ErrorNote, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './messages.module.css';
import { receivedMessageQuery } from './queries.ts';
import { channelWords } from './words.ts';

interface ReceivedDrawerProps {
  /** Null while it is closed. */
  readonly id: string | null;
  readonly onClose: () => void;
}

/** A received message in full. */
export function ReceivedDrawer({ id, onClose }: ReceivedDrawerProps) {
  const { t } = useLingui();
  const { data, error } = useQuery({ ...receivedMessageQuery(id ?? ''), enabled: id !== null });
  return (
    <Drawer title={data?.subject ?? t`Received message`} isOpen={id !== null} onClose={onClose}>
      {error ? <ErrorNote {...noteOf(error)} /> : data ? <Content message={data} /> : <Loading />}
    </Drawer>
  );
}

function Content({ message }: { readonly message: Schemas['ReceivedMessage'] }) {
  const { t, i18n } = useLingui();
  const { channel, from, from_name, to, occurred_at, message_id, carrier, id, html, text, truncated, attachments, media } = message;
  return (
    <div className={styles.parts}>
      <DefinitionList
        items={[
          { term: t`From`, value: <bdi>{from_name === null ? from : `${from_name} <${from}>`}</bdi> },
          ...(to === null ? [] : [{ term: t`To`, value: <bdi>{to}</bdi> }]),
          { term: t`Channel`, value: i18n._(channelWords[channel]) },
          { term: t`Time`, value: <Time value={occurred_at} /> },
          ...(message_id === null
            ? []
            : [
                {
                  term: t`Answer to`,
                  value: (
                    <Link to="/messages/$id" params={{ id: message_id }}>
                      <Trans>The message</Trans>
                    </Link>
                  ),
                },
              ]),
          { term: t`Carrier`, value: carrier },
          { term: t`Id`, value: <Id value={id} /> },
        ]}
      />
      {html !== null && <MailFrame html={html} title={t`The mail`} />}
      <p className={styles.text} dir="auto">
        {text}
      </p>
      {truncated && (
        <p className={styles.reason}>
          <Trans>The text was longer than 65,536 characters; the rest was cut.</Trans>
        </p>
      )}
      {(attachments.length > 0 || media.length > 0) && (
        <ul className={styles.files}>
          {attachments.map(({ filename, content_type, size }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a mail can have the same file twice, and its files never change
            <li key={index}>
              <bdi>{filename ?? t`No name`}</bdi> · {content_type} · {i18n.number(size)} B
            </li>
          ))}
          {media.map(({ url, content_type }) => (
            <li key={url}>
              <code>{url}</code> {content_type}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
