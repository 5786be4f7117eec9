import { Trans, useLingui } from '@lingui/react/macro';
import { Code } from '../../ui/code.tsx';
import { DefinitionList } from '../../ui/definition-list.tsx';
import { JsonView } from '../../ui/json-view.tsx';
import { MailFrame } from '../../ui/mail-frame.tsx';
import type { WholeMessage } from './detail-page.tsx';
import styles from './messages.module.css';

/** The content as it was accepted: of an email as its reader sees it, and as text. */
export function ContentTab({ message }: { readonly message: WholeMessage }) {
  const { t, i18n } = useLingui();
  const { subject, title, html, message: text, action_url, cc, bcc, reply_to, headers, attachments, media_urls, push, whatsapp_template } = message;
  const head = [
    { term: t`Subject`, value: subject },
    { term: t`Title`, value: title },
    { term: t`Opens`, value: action_url },
    { term: t`Copies to`, value: cc?.join(', ') },
    { term: t`Blind copies to`, value: bcc?.join(', ') },
    { term: t`Replies to`, value: reply_to },
    ...Object.entries(headers ?? {}).map(([term, value]) => ({ term, value })),
  ].flatMap(({ term, value }) => (value ? [{ term, value: <bdi dir="auto">{value}</bdi> }] : []));
  return (
    <div className={styles.parts}>
      {head.length > 0 && <DefinitionList items={head} />}
      {html !== undefined && <MailFrame html={html} title={t`The mail as it was written`} />}
      {html === undefined ? (
        <Text text={text} />
      ) : (
        <details>
          <summary>
            <Trans>As text</Trans>
          </summary>
          <Text text={text} />
        </details>
      )}
      {html !== undefined && (
        <details>
          <summary>
            <Trans>Source</Trans>
          </summary>
          <Code text={html} label={t`Source of the mail`} />
        </details>
      )}
      {(attachments ?? []).length + (media_urls ?? []).length > 0 && (
        <section>
          <h2 className={styles.heading}>
            <Trans>Files</Trans>
          </h2>
          <ul className={styles.files}>
            {attachments?.map(({ filename, content_type, bytes }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a mail can have the same file twice, and its files never change
              <li key={index}>
                <bdi>{filename}</bdi> · {content_type} · {i18n.number(bytes)} B
              </li>
            ))}
            {media_urls?.map((url) => (
              <li key={url}>
                <code>{url}</code>
              </li>
            ))}
          </ul>
        </section>
      )}
      {whatsapp_template && <JsonView value={whatsapp_template} />}
      {push && <JsonView value={push} />}
    </div>
  );
}

const Text = ({ text }: { readonly text: string }) => (
  <p className={styles.text} dir="auto">
    {text}
  </p>
);
