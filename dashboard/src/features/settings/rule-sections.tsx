import { Trans, useLingui } from '@lingui/react/macro';
import { problemOf } from '../../api/errors.ts';
import { Switch } from '../../ui/choices.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { Section } from './section.tsx';
import styles from './settings.module.css';
import { useSection } from './use-section.ts';
import { channels, channelWords, durationWords, type SettingsProps } from './words.ts';

type Settings = SettingsProps['settings']['value'];

export function QuietHoursSection({ settings }: SettingsProps) {
  const { t } = useLingui();
  const section = useSection({ name: 'quiet hours', read: ({ quiet_hours }) => quiet_hours, patch: (quiet_hours) => ({ quiet_hours }) }, settings);
  const { draft, error, set, mayWrite } = section;
  return (
    <Section
      title={t`Quiet hours`}
      about={<Trans>Marketing waits until they are over, each person’s by their own time zone. Receipts, codes and the like are sent at once.</Trans>}
      section={section}
      words={({ enabled, start, end }) => [
        [t`Quiet hours`, enabled ? t`On` : t`Off`],
        [t`From`, start],
        [t`Until`, end],
      ]}
    >
      <Switch label={t`Keep quiet hours`} isSelected={draft.enabled} onChange={(enabled) => set({ enabled })} isDisabled={!mayWrite} />
      {draft.enabled && (
        <div className={styles.pair}>
          <TextField
            label={t`From`}
            type="time"
            error={problemOf(error, 'quiet_hours.start')}
            value={draft.start}
            onChange={(start) => set({ start })}
            isReadOnly={!mayWrite}
          />
          <TextField
            label={t`Until`}
            type="time"
            hint={t`May be on the next day.`}
            error={problemOf(error, 'quiet_hours.end')}
            value={draft.end}
            onChange={(end) => set({ end })}
            isReadOnly={!mayWrite}
          />
        </div>
      )}
    </Section>
  );
}

export function ConsentSection({ settings }: SettingsProps) {
  const { t, i18n } = useLingui();
  const section = useSection(
    { name: 'consent', read: ({ marketing_consent }) => marketing_consent, patch: (marketing_consent) => ({ marketing_consent }) },
    settings,
  );
  const { draft, set, mayWrite } = section;
  const rules = [
    { value: 'opt_in', label: t`Only with consent` },
    { value: 'opt_out', label: t`Unless withdrawn` },
  ];
  const ruleLabel = (rule: string): string => rules.find(({ value }) => value === rule)?.label ?? rule;
  return (
    <Section
      title={t`Consent to marketing`}
      about={
        <Trans>Whether marketing needs a recorded consent, or only that none was withdrawn. Whoever has unsubscribed gets none in either case.</Trans>
      }
      section={section}
      words={(rulesOf) => channels.map((channel) => [i18n._(channelWords[channel]), ruleLabel(rulesOf[channel])])}
    >
      <div className={styles.grid}>
        {channels.map((channel) => (
          <SelectField
            key={channel}
            label={i18n._(channelWords[channel])}
            options={rules}
            value={draft[channel]}
            onChange={(rule) => rule && set({ [channel]: rule as 'opt_in' | 'opt_out' })}
            isDisabled={!mayWrite}
          />
        ))}
      </div>
    </Section>
  );
}

export function DeliverySection({ settings }: SettingsProps) {
  const { t } = useLingui();
  const section = useSection(
    {
      name: 'delivery',
      read: ({ on_unknown_outcome, soft_bounce_limit }) => ({ ...on_unknown_outcome, limit: soft_bounce_limit }),
      patch: ({ limit, ...on_unknown_outcome }) => ({ on_unknown_outcome, soft_bounce_limit: limit }),
    },
    settings,
  );
  const { draft, error, set, mayWrite } = section;
  const outcomes = [
    { value: 'retry', label: t`Send again: perhaps twice` },
    { value: 'fail', label: t`Give up: perhaps never` },
  ];
  const outcomeLabel = (outcome: string): string => outcomes.find(({ value }) => value === outcome)?.label ?? outcome;
  const { limit } = draft;
  return (
    <Section
      title={t`Delivery`}
      about={
        <Trans>
          What becomes of a message whose connection to the carrier broke while it was handed over, so that nobody knows whether it was sent; and of
          mailboxes that are full again and again.
        </Trans>
      }
      section={section}
      words={(one) => [
        [t`Transactional`, outcomeLabel(one.transactional)],
        [t`Marketing`, outcomeLabel(one.marketing)],
        [t`Soft bounces`, one.limit ? `${one.limit.count} / ${one.limit.within}` : t`No limit`],
      ]}
    >
      <div className={styles.grid}>
        {(['transactional', 'marketing'] as const).map((kind) => (
          <SelectField
            key={kind}
            label={kind === 'marketing' ? t`Marketing` : t`Transactional`}
            options={outcomes}
            value={draft[kind]}
            onChange={(outcome) => outcome && set({ [kind]: outcome as Settings['on_unknown_outcome']['marketing'] })}
            isDisabled={!mayWrite}
          />
        ))}
      </div>
      <Switch
        label={t`Stop marketing to an address after soft bounces`}
        isSelected={limit !== null}
        onChange={(on) => set({ limit: on ? { count: 5, within: 'P30D' } : null })}
        isDisabled={!mayWrite}
      />
      {limit && (
        <div className={styles.pair}>
          <TextField
            label={t`Soft bounces`}
            type="number"
            inputMode="numeric"
            error={problemOf(error, 'soft_bounce_limit.count')}
            value={String(limit.count)}
            onChange={(count) => set({ limit: { ...limit, count: Number(count) } })}
            isReadOnly={!mayWrite}
          />
          <DurationField
            label={t`Within`}
            error={problemOf(error, 'soft_bounce_limit.within')}
            value={limit.within}
            onChange={(within) => set({ limit: { ...limit, within } })}
            isDisabled={!mayWrite}
          />
        </div>
      )}
    </Section>
  );
}

export function PurchaseSection({ settings }: SettingsProps) {
  const { t } = useLingui();
  const section = useSection(
    {
      name: 'purchase',
      read: ({ purchase, churn_window }) => ({ ...purchase, churn_window }),
      patch: ({ churn_window, ...purchase }) => ({ churn_window, purchase }),
    },
    settings,
  );
  const { draft, error, set, mayWrite } = section;
  const fields = [
    { key: 'event', label: t`Event` },
    { key: 'value_property', label: t`Property with the amount` },
    { key: 'currency_property', label: t`Property with the currency` },
  ] as const;
  return (
    <Section
      title={t`Purchases`}
      about={<Trans>The event by which you report a purchase: scores and reports count with it.</Trans>}
      section={section}
      words={(one) => [...fields.map(({ key, label }) => [label, one[key]] as const), [t`Lost after`, one.churn_window]]}
    >
      <div className={styles.grid}>
        {fields.map(({ key, label }) => (
          <TextField
            key={key}
            label={label}
            error={problemOf(error, `purchase.${key}`)}
            value={draft[key]}
            onChange={(value) => set({ [key]: value })}
            isReadOnly={!mayWrite}
          />
        ))}
        <DurationField
          label={t`Lost after`}
          hint={t`So long without a purchase.`}
          error={problemOf(error, 'churn_window')}
          value={draft.churn_window}
          onChange={(churn_window) => set({ churn_window })}
          isDisabled={!mayWrite}
        />
      </div>
    </Section>
  );
}

interface DurationFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly error: string | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isDisabled: boolean;
}

/** Usual durations, and the one there is. */
function DurationField({ value, onChange, ...props }: DurationFieldProps) {
  const { i18n } = useLingui();
  const usual = durationWords
    .filter((one) => one.value.startsWith('P') && !one.value.startsWith('PT'))
    .map((one) => ({ value: one.value, label: i18n._(one.label) }));
  const options = usual.some((one) => one.value === value) ? usual : [{ value, label: value }, ...usual];
  return <SelectField {...props} options={options} value={value} onChange={(next) => next && onChange(next)} />;
}
