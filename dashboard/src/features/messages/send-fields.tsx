import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { answer, api } from '../../api/client.ts';
import { problemOf } from '../../api/errors.ts';
import { RadioGroup } from '../../ui/choices.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { TimeField } from '../../ui/time-field.tsx';
import { type Draft, dataOf, hasTitle } from './draft.ts';
import styles from './messages.module.css';
import { channels, channelWords } from './words.ts';

interface SendFieldsProps {
  readonly draft: Draft;
  readonly onChange: (change: Partial<Draft>) => void;
  /** Of the last attempt. */
  readonly error: unknown;
}

/** The fields of a message to send: those that its channel has. */
export function SendFields({ draft, onChange, error }: SendFieldsProps) {
  const { t, i18n } = useLingui();
  const { channel, source } = draft;
  const recipients =
    channel === 'email'
      ? t`Such as ada@example.com or Ada <ada@example.com>.`
      : hasTitle(channel)
        ? t`A contact’s id, email or phone.`
        : t`With its country prefix, such as +14155550100.`;
  return (
    <>
      <SelectField
        label={t`Channel`}
        options={channels.map((value) => ({ value, label: i18n._(channelWords[value]) }))}
        value={channel}
        onChange={(value) => onChange({ channel: (value ?? 'email') as Draft['channel'], template_id: null })}
        error={problemOf(error, 'channel')}
      />
      <TextField
        label={t`Recipient`}
        name="to"
        value={draft.to}
        onChange={(to) => onChange({ to })}
        hint={recipients}
        error={problemOf(error, 'to') ?? problemOf(error, 'contact_id')}
        autoComplete="off"
      />
      <RadioGroup
        label={t`Content`}
        value={source}
        onChange={(value) => onChange({ source: value === 'template' ? 'template' : 'own' })}
        options={[
          { value: 'own', label: t`Write it here` },
          { value: 'template', label: t`From a template` },
        ]}
      />
      {source === 'own' ? (
        <OwnContent draft={draft} onChange={onChange} error={error} />
      ) : (
        <TemplateContent draft={draft} onChange={onChange} error={error} />
      )}
      <RadioGroup
        label={t`Category`}
        value={draft.category}
        onChange={(value) => onChange({ category: value === 'marketing' ? 'marketing' : 'transactional' })}
        options={[
          { value: 'transactional', label: t`Transactional`, hint: t`Something the recipient waits for, such as a receipt or a code.` },
          { value: 'marketing', label: t`Marketing`, hint: t`Needs consent, keeps quiet hours, and counts for the frequency cap.` },
        ]}
      />
      <TimeField
        label={t`Send at`}
        value={draft.send_at}
        onChange={(send_at) => onChange({ send_at })}
        hint={t`Empty: at once.`}
        error={problemOf(error, 'send_at')}
      />
      <details>
        <summary>
          <Trans>For developers</Trans>
        </summary>
        <div className={styles.parts}>
          <TextField
            label={t`Tags`}
            value={draft.tags}
            onChange={(tags) => onChange({ tags })}
            hint={t`Separated by commas. Do not put personal data into them.`}
          />
          <TextField
            label={t`Webhook address`}
            type="url"
            value={draft.webhook_url}
            onChange={(webhook_url) => onChange({ webhook_url })}
            hint={t`Gets every change of its status.`}
            error={problemOf(error, 'webhook_url')}
          />
        </div>
      </details>
    </>
  );
}

function OwnContent({ draft, onChange, error }: SendFieldsProps) {
  const { t } = useLingui();
  const { channel } = draft;
  return (
    <>
      {channel === 'email' && (
        <TextField label={t`Subject`} value={draft.subject} onChange={(subject) => onChange({ subject })} error={problemOf(error, 'subject')} />
      )}
      {hasTitle(channel) && (
        <TextField label={t`Title`} value={draft.title} onChange={(title) => onChange({ title })} error={problemOf(error, 'title')} />
      )}
      {channel === 'email' && (
        <TextField
          label={t`HTML`}
          rows={8}
          value={draft.html}
          onChange={(html) => onChange({ html })}
          error={problemOf(error, 'html')}
          spellCheck="false"
        />
      )}
      <TextField
        label={t`Text`}
        rows={channel === 'email' ? 4 : 6}
        value={draft.message}
        onChange={(message) => onChange({ message })}
        {...(channel === 'email' && { hint: t`For readers without HTML. Empty: made from the HTML.` })}
        error={problemOf(error, 'message')}
      />
      {hasTitle(channel) && (
        <TextField
          label={t`Opens`}
          value={draft.action_url}
          onChange={(action_url) => onChange({ action_url })}
          hint={t`The address or path that a tap opens.`}
          error={problemOf(error, 'action_url')}
        />
      )}
    </>
  );
}

function TemplateContent({ draft, onChange, error }: SendFieldsProps) {
  const { t } = useLingui();
  const { channel, template_id } = draft;
  const { data } = useQuery({
    queryKey: ['template', 'list', { channel }],
    queryFn: ({ signal }) => answer(api.GET('/v1/templates', { params: { query: { channel, limit: 200 } }, signal })),
  });
  const options = (data?.data ?? []).map(({ id, name, version }) => ({ value: id, label: t`${name}, version ${version}` }));
  return (
    <>
      <SelectField
        label={t`Template`}
        options={options}
        value={template_id}
        onChange={(id) => onChange({ template_id: id })}
        {...(data && options.length === 0 && { hint: t`There is no template for this channel yet.` })}
        error={problemOf(error, 'template_id')}
      />
      <TextField
        label={t`Values of data`}
        rows={4}
        value={draft.data}
        onChange={(text) => onChange({ data: text })}
        placeholder={'{ "order": "A1" }'}
        hint={t`JSON: what the template calls data.…`}
        error={dataOf(draft) === null ? t`This is no JSON object.` : problemOf(error, 'data')}
        spellCheck="false"
      />
    </>
  );
}
