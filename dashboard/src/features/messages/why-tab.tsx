import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Schemas } from '../../api/client.ts';
import { noteOf } from '../../api/errors.ts';
import type { Tone } from '../../ui/badge.tsx';
import { JsonView } from '../../ui/json-view.tsx';
import { ErrorNote, Loading } from '../../ui/states.tsx';
import { Timeline } from '../../ui/timeline.tsx';
import { PageLink } from './links.tsx';
import { messageWhyQuery } from './queries.ts';
import { eventWords, gateWords, reasonWords } from './words.ts';

type Step = Schemas['ExplanationStep'];

/** The chain of causes: who asked for it, what each gate said, what the carrier answered. */
export function WhyTab({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery(messageWhyQuery(id));
  const titleOf = useStepTitle();
  if (!data) return error ? <ErrorNote {...noteOf(error)} onRetry={() => void refetch()} /> : <Loading />;
  return (
    <Timeline
      entries={data.chain.map((step, index) => ({
        key: `${index} ${step.event ?? ''}`,
        at: step.occurred_at,
        title: titleOf(step),
        detail: <Detail step={step} />,
        tone: toneOf(step),
        more: <JsonView value={step.details} />,
      }))}
    />
  );
}

const bad = new Set(['refused', 'failed', 'MessageFailed', 'MessageUndelivered', 'MessageBounced', 'MessageComplained']);
const good = new Set(['passed', 'accepted', 'MessageDelivered', 'MessageOpened', 'MessageClicked', 'MessageRead']);

const toneOf = ({ result }: Step): Tone =>
  bad.has(result) ? 'danger' : good.has(result) ? 'success' : result === 'transient_error' || result === 'left_out' ? 'warning' : 'neutral';

const textAt = (details: Step['details'], name: string): string | null => {
  const value = details[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
};

function useStepTitle(): (step: Step) => ReactNode {
  const { t, i18n } = useLingui();
  return ({ step, result, details }) => {
    const gateKey = textAt(details, 'gate') ?? '';
    const words = gateWords.get(gateKey);
    const gate = words ? i18n._(words) : gateKey;
    const carrier = textAt(details, 'carrier') ?? '';
    switch (step) {
      case 'asked':
        return t`Asked for, and accepted`;
      case 'gate':
        return result === 'passed' ? t`${gate}: passed` : result === 'not_asked' ? t`${gate}: not asked` : t`${gate}: refused`;
      case 'scheduled':
        return result === 'due' ? t`Its time had come` : t`Has to wait`;
      case 'hand_over':
        return t`Handed to ${carrier}`;
      case 'carrier':
        return result === 'accepted'
          ? t`${carrier} accepted it`
          : result === 'failed'
            ? t`The carrier refused it`
            : t`The carrier could not take it yet`;
      case 'receipt': {
        const known = eventWords.get(result);
        return known ? t`Report of ${carrier}: ${i18n._(known)}` : t`Report of ${carrier} that changes nothing`;
      }
      case 'device':
        return t`Device: ${result}`;
      default:
        return result === 'canceled' ? t`Canceled` : result === 'expired' ? t`Its time to live ended` : result;
    }
  };
}

/** What one reads without opening the step. */
function Detail({ step: { step, result, details } }: { readonly step: Step }) {
  const { i18n } = useLingui();
  if (step === 'gate' && result === 'not_asked') return <Trans>Transactional messages are asked only the do-not-contact list.</Trans>;
  if (step === 'gate' && result === 'passed')
    return textAt(details, 'at') === 'hand_over' ? <Trans>just before it was handed over</Trans> : <Trans>when it was accepted</Trans>;
  if (step === 'gate') return <Refusal details={details} />;
  if (step === 'asked') return <Asked details={details} />;
  const reason = textAt(details, 'reason');
  const words = reason !== null && Object.hasOwn(reasonWords, reason) ? i18n._(reasonWords[reason as keyof typeof reasonWords]) : reason;
  const said = [words, textAt(details, 'code'), textAt(details, 'error'), textAt(details, 'raw_status')].filter((text) => text !== null);
  return said.length > 0 ? <bdi>{said.join(' · ')}</bdi> : null;
}

function Asked({ details }: { readonly details: Step['details'] }) {
  const [campaign, journey] = [textAt(details, 'campaign_id'), textAt(details, 'journey_id')];
  if (campaign) return <PageLink to={`/campaigns/${campaign}`}>{<Trans>by a campaign</Trans>}</PageLink>;
  if (journey) return <PageLink to={`/journeys/${journey}`}>{<Trans>by a journey</Trans>}</PageLink>;
  const actor = details.actor as { readonly kind?: string; readonly id?: string } | undefined;
  if (actor?.kind === 'key') return <Trans>by an API key</Trans>;
  return actor?.kind === 'user' ? <Trans>by a user</Trans> : null;
}

/** What refused, with a link to it. */
function Refusal({ details }: { readonly details: Step['details'] }) {
  const { i18n } = useLingui();
  const by = (typeof details.refused_by === 'object' && details.refused_by !== null ? details.refused_by : {}) as Step['details'];
  const reason = textAt(details, 'reason') ?? '';
  const words = Object.hasOwn(reasonWords, reason) ? i18n._(reasonWords[reason as keyof typeof reasonWords]) : reason;
  const [suppression, contact, max, counted] = [textAt(by, 'suppression_id'), textAt(by, 'contact_id'), textAt(by, 'max'), textAt(by, 'counted')];
  return (
    <>
      {words}
      {suppression !== null && (
        <>
          {' · '}
          <PageLink to={`/consent/suppressions?open=${encodeURIComponent(suppression)}`}>
            <Trans>The entry</Trans>
          </PageLink>
        </>
      )}
      {contact !== null && (
        <>
          {' · '}
          <PageLink to={`/consent?contact_id=${encodeURIComponent(contact)}`}>
            <Trans>The consents</Trans>
          </PageLink>
        </>
      )}
      {max !== null && (
        <>
          {' · '}
          <Trans>
            {counted} of {max} messages were sent in that time
          </Trans>
        </>
      )}
    </>
  );
}
