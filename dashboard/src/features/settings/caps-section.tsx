import { Trans, useLingui } from '@lingui/react/macro';
import { Plus, X } from 'lucide-react';
import type { Schemas } from '../../api/client.ts';
import { problemOf } from '../../api/errors.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { Section } from './section.tsx';
import styles from './settings.module.css';
import { useSection } from './use-section.ts';
import { channels, channelWords, durationWords, type SettingsProps } from './words.ts';

type Cap = Schemas['FrequencyCap'];

const MAX_CAPS = 10;

export function CapsSection({ settings }: SettingsProps) {
  const { t, i18n } = useLingui();
  const section = useSection(
    { name: 'caps', read: ({ frequency_caps: caps }) => ({ caps }), patch: ({ caps }) => ({ frequency_caps: caps }) },
    settings,
  );
  const {
    draft: { caps },
    error,
    set,
    mayWrite,
  } = section;
  const channelLabel = (channel: Cap['channel']): string => (channel === 'any' ? t`All together` : i18n._(channelWords[channel]));
  const durations = durationWords.map(({ value, label }) => ({ value, label: i18n._(label) }));
  const durationLabel = (per: string): string => durations.find(({ value }) => value === per)?.label ?? per;
  const change = (at: number, part: Partial<Cap>): void => set({ caps: caps.map((cap, index) => (index === at ? { ...cap, ...part } : cap)) });

  return (
    <Section
      title={t`Frequency caps`}
      about={<Trans>At most so many marketing messages reach a person within a time. All caps count, each over the time before a message.</Trans>}
      section={section}
      words={(draft) => [[t`Caps`, draft.caps.map(({ channel, max, per }) => `${channelLabel(channel)}: ${max} / ${durationLabel(per)}`).join('\n')]]}
    >
      {caps.length === 0 && (
        <p className={styles.muted}>
          <Trans>No cap: every marketing message is sent.</Trans>
        </p>
      )}
      {caps.map((cap, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: caps have no other name
        <fieldset key={index} className={styles.cap} aria-label={t`Cap ${index + 1}`}>
          <SelectField
            label={t`Channel`}
            options={(['any', ...channels] as const).map((value) => ({ value, label: channelLabel(value) }))}
            value={cap.channel}
            onChange={(channel) => channel && change(index, { channel: channel as Cap['channel'] })}
            isDisabled={!mayWrite}
          />
          <TextField
            label={t`At most`}
            type="number"
            inputMode="numeric"
            error={problemOf(error, `frequency_caps[${index}].max`)}
            value={String(cap.max)}
            onChange={(max) => change(index, { max: Number(max) })}
            isReadOnly={!mayWrite}
          />
          <SelectField
            label={t`Within`}
            error={problemOf(error, `frequency_caps[${index}].per`)}
            options={durations.some(({ value }) => value === cap.per) ? durations : [{ value: cap.per, label: cap.per }, ...durations]}
            value={cap.per}
            onChange={(per) => per && change(index, { per })}
            isDisabled={!mayWrite}
          />
          {mayWrite && (
            <Button look="quiet" aria-label={t`Remove cap ${index + 1}`} onPress={() => set({ caps: caps.filter((_, other) => other !== index) })}>
              <X aria-hidden />
            </Button>
          )}
        </fieldset>
      ))}
      {mayWrite && caps.length < MAX_CAPS && (
        <div>
          <Button size="small" onPress={() => set({ caps: [...caps, { channel: 'any', max: 3, per: 'P7D' }] })}>
            <Plus aria-hidden />
            <Trans>Add a cap</Trans>
          </Button>
        </div>
      )}
    </Section>
  );
}
