import { Trans, useLingui } from '@lingui/react/macro';
import { problemOf } from '../../api/errors.ts';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { Section } from './section.tsx';
import styles from './settings.module.css';
import { useSection } from './use-section.ts';
import { channels, channelWords, type SettingsProps } from './words.ts';

type Language = SettingsProps['settings']['value']['branding']['locale'];

/** The languages of public pages and of the service's own mails. */
const languages: readonly Language[] = ['en', 'de', 'es', 'fr', 'pl'];
const zones = ['UTC', ...Intl.supportedValuesOf('timeZone')];

/** The account's own zone is offered even if this browser does not list it. */
const zonesWith = (zone: string): { value: string; label: string }[] =>
  (zones.includes(zone) ? zones : [zone, ...zones]).map((value) => ({ value, label: value.replaceAll('_', ' ') }));

export function GeneralSection({ settings }: SettingsProps) {
  const { t, i18n } = useLingui();
  const section = useSection(
    {
      name: 'general',
      read: ({ name, timezone, branding: { locale } }) => ({ name, timezone, locale }),
      patch: ({ name, timezone, locale }) => ({ name, timezone, branding: { locale } }),
    },
    settings,
  );
  const { draft, error, set, mayWrite } = section;
  const languageName = new Intl.DisplayNames(i18n.locale, { type: 'language' });
  return (
    <Section
      title={t`Name, time and language`}
      section={section}
      words={({ name, timezone, locale }) => [
        [t`Name`, name],
        [t`Time zone`, timezone],
        [t`Language`, languageName.of(locale) ?? locale],
      ]}
    >
      <div className={styles.grid}>
        <TextField
          label={t`Name`}
          hint={t`As people see it on the pages they reach from your messages.`}
          error={problemOf(error, 'name')}
          value={draft.name}
          onChange={(name) => set({ name })}
          isReadOnly={!mayWrite}
        />
        <SelectField
          label={t`Time zone`}
          hint={t`For people whose own is not known, and for all times of these pages.`}
          error={problemOf(error, 'timezone')}
          options={zonesWith(draft.timezone)}
          value={draft.timezone}
          onChange={(timezone) => timezone && set({ timezone })}
          isDisabled={!mayWrite}
        />
        <SelectField
          label={t`Language`}
          hint={t`Of pages and mails of the service, for people whose own is not known.`}
          error={problemOf(error, 'branding.locale')}
          options={languages.map((value) => ({ value, label: languageName.of(value) ?? value }))}
          value={draft.locale}
          onChange={(locale) => locale && set({ locale: locale as Language })}
          isDisabled={!mayWrite}
        />
      </div>
    </Section>
  );
}

/** An empty field is no sender. */
export function SendersSection({ settings }: SettingsProps) {
  const { t, i18n } = useLingui();
  const section = useSection(
    {
      name: 'senders',
      read: ({ senders }) => senders,
      patch: (senders) => ({ senders }),
    },
    settings,
  );
  const { draft, error, set, mayWrite } = section;
  return (
    <Section
      title={t`Senders`}
      about={
        <Trans>From whom messages come that name no sender of their own. An email sender is an address, or a name with one in angle brackets.</Trans>
      }
      section={section}
      words={(senders) => channels.map((channel) => [i18n._(channelWords[channel]), senders[channel] ?? ''])}
    >
      <div className={styles.grid}>
        {channels.map((channel) => (
          <TextField
            key={channel}
            label={i18n._(channelWords[channel])}
            placeholder={t`None`}
            error={problemOf(error, `senders.${channel}`)}
            value={draft[channel] ?? ''}
            onChange={(sender) => set({ [channel]: sender === '' ? null : sender })}
            isReadOnly={!mayWrite}
          />
        ))}
      </div>
    </Section>
  );
}
