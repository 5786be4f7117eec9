import { Trans, useLingui } from '@lingui/react/macro';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { answer, api, type Schemas } from '../../api/client.ts';
import { noteOf } from '../../api/errors.ts';
import { DefinitionList } from '../../ui/definition-list.tsx';
import { MailFrame } from '../../ui/mail-frame.tsx';
import { Panel } from '../../ui/page.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { type Draft, dataOf } from './draft.ts';
import { contactAddress, PageLink } from './links.tsx';
import styles from './messages.module.css';
import { StatusBadge } from './status-badge.tsx';
import { statusWords } from './words.ts';

interface SendPreviewProps {
  readonly draft: Draft;
  /** What a check of exactly this draft found; null without one. */
  readonly checked: Schemas['AcceptedMessage'] | null;
}

/** Beside the form: what would happen, and how it looks. */
export function SendPreview({ draft, checked }: SendPreviewProps) {
  const { t } = useLingui();
  return (
    <div className={styles.parts}>
      <Panel title={t`What would happen`}>
        <div aria-live="polite">
          {checked ? (
            <Outcome checked={checked} />
          ) : (
            <p className={styles.reason}>
              <Trans>A check says what would become of the message, and sends nothing.</Trans>
            </p>
          )}
        </div>
      </Panel>
      <Panel title={t`Preview`}>{draft.source === 'template' ? <TemplatePreview draft={draft} /> : <OwnPreview {...draft} />}</Panel>
    </div>
  );
}

function Outcome({ checked }: { readonly checked: Schemas['AcceptedMessage'] }) {
  const { t, i18n } = useLingui();
  const { status, status_reason, to, contact_id, segments, encoding, scheduled_at, warnings = [] } = checked;
  return (
    <div className={styles.parts}>
      <p className={styles.about}>
        <StatusBadge status={status} reason={status_reason} /> {i18n._(statusWords[status].meaning)}
      </p>
      <DefinitionList
        items={[
          { term: t`Goes to`, value: <bdi>{to}</bdi> },
          { term: t`Contact`, value: contact_id === null ? t`nobody yet` : <PageLink to={contactAddress(contact_id)}>{t`Profile`}</PageLink> },
          ...(scheduled_at === null ? [] : [{ term: t`At`, value: <Time value={scheduled_at} /> }]),
          ...(segments === null ? [] : [{ term: t`Parts`, value: encoding === null ? segments : `${segments} (${encoding})` }]),
        ]}
      />
      {warnings.length > 0 && (
        <ul className={styles.files}>
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

type Content = Pick<Draft, 'subject' | 'title' | 'html' | 'message'>;

function OwnPreview({ subject, title, html, message }: Content) {
  const { t } = useLingui();
  if (subject + title + html + message === '')
    return (
      <p className={styles.reason}>
        <Trans>What you write appears here.</Trans>
      </p>
    );
  return (
    <div className={styles.parts}>
      {subject + title !== '' && (
        <h3 dir="auto">
          <bdi>{subject || title}</bdi>
        </h3>
      )}
      {html !== '' && <MailFrame html={html} title={t`Preview of the mail`} />}
      {html === '' && (
        <p className={styles.text} dir="auto">
          {message}
        </p>
      )}
    </div>
  );
}

/** The template as the service fills it in. */
function TemplatePreview({ draft }: { readonly draft: Draft }) {
  const { template_id, contact_id } = draft;
  const data = dataOf(draft);
  const { data: rendered, error } = useQuery({
    queryKey: ['template', template_id, 'render', contact_id, data],
    queryFn: ({ signal }) =>
      answer(
        api.POST('/v1/templates/{id}/render', {
          params: { path: { id: template_id ?? '' } },
          body: { ...(data && { data }), ...(contact_id !== '' && { contact_id }) },
          signal,
        }),
      ),
    enabled: template_id !== null && data !== null,
    placeholderData: keepPreviousData,
  });
  if (template_id === null)
    return (
      <p className={styles.reason}>
        <Trans>Choose a template.</Trans>
      </p>
    );
  if (error) return <ErrorNote {...noteOf(error)} />;
  if (!rendered) return null;
  const { subject, title, html, message, missing_variables } = rendered;
  const missing = missing_variables.join(', ');
  return (
    <>
      <OwnPreview subject={subject ?? ''} title={title ?? ''} html={html ?? ''} message={message ?? ''} />
      {missing !== '' && (
        <p className={styles.reason}>
          <Trans>Without a value: {missing}</Trans>
        </p>
      )}
    </>
  );
}
