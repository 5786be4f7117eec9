import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import type { CSSProperties } from 'react';
import { problemOf } from '../../api/errors.ts';
import { Page, Panel } from '../../ui/page.tsx';
import { Loading } from '../../ui/states.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { settingsQuery } from './queries.ts';
import { Section } from './section.tsx';
import styles from './settings.module.css';
import { useSection } from './use-section.ts';
import type { SettingsProps } from './words.ts';

function BrandingPage() {
  const { t } = useLingui();
  const found = useQuery(settingsQuery);
  if (found.error) throw found.error;
  return (
    <Page title={t`Branding`} about={t`How forms, preference pages and the service’s own mails look to people.`}>
      {found.data ? <Branding settings={found.data} /> : <Loading rows={6} />}
    </Page>
  );
}

function Branding({ settings }: SettingsProps) {
  const { t } = useLingui();
  const section = useSection(
    {
      name: 'branding',
      read: ({ branding: { logo_url, color } }) => ({ logo_url, color }),
      patch: (branding) => ({ branding }),
    },
    settings,
  );
  const { draft, error, set, mayWrite } = section;
  return (
    <div className={styles.page}>
      <Section
        title={t`Logo and color`}
        section={section}
        words={({ logo_url, color }) => [
          [t`Logo`, logo_url ?? ''],
          [t`Color`, color ?? ''],
        ]}
      >
        <TextField
          label={t`Logo`}
          type="url"
          placeholder="https://example.com/logo.png"
          hint={t`The address of an image, by https.`}
          error={problemOf(error, 'branding.logo_url')}
          value={draft.logo_url ?? ''}
          onChange={(logo_url) => set({ logo_url: logo_url === '' ? null : logo_url })}
          isReadOnly={!mayWrite}
        />
        <TextField
          label={t`Color`}
          placeholder="#0a4f9e"
          hint={t`Of buttons and links, as six hexadecimal digits.`}
          error={problemOf(error, 'branding.color')}
          value={draft.color ?? ''}
          onChange={(color) => set({ color: color === '' ? null : color })}
          isReadOnly={!mayWrite}
        />
      </Section>
      <Panel title={t`Preview`}>
        <Preview name={settings.value.name} logo={draft.logo_url} color={draft.color} />
      </Panel>
    </div>
  );
}

/** Of the color only what is one: it is the value of a property. The logo is on another host, from which the dashboard loads nothing. */
function Preview({ name, logo, color }: { readonly name: string; readonly logo: string | null; readonly color: string | null }) {
  const { t } = useLingui();
  const isColor = color !== null && /^#[0-9a-f]{6}$/i.test(color);
  const shown = isColor ? color : 'var(--accent)';
  const colors = { '--shown': shown, '--on-shown': isColor ? textOn(color) : 'var(--on-accent)' } as CSSProperties;
  return (
    <div className={styles.preview} style={colors}>
      <div className={styles.previewHead}>
        {logo ? (
          <a href={/^https:/.test(logo) ? logo : undefined} target="_blank" rel="noreferrer">
            <Trans>Your logo</Trans>
          </a>
        ) : (
          name
        )}
      </div>
      <div className={styles.previewBody}>
        <p>{t`Choose what you would like to hear about.`}</p>
        <span className={styles.previewButton}>{t`Save my choice`}</span>
      </div>
    </div>
  );
}

/** Black or white, whichever contrasts more (WCAG 2.2, relative luminance). */
function textOn(color: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#ffffff';
}

export const page = createLazyRoute('/signed-in/settings/branding')({ component: BrandingPage });
