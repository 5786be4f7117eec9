import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
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
  if (!data) return error ? <ErrorNote {...noteOf(error)} onRetry={() => void refetch()} /> : <Loading />;
  return (
    <Timeline
      entries={data.chain.map((step, index) => ({
        key: `${index} ${step.event ?? ''}`,
        at: step.occurred_at,
        title: <StepTitle step={step} />,
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

function StepTitle({ step: { step, result, details } }: { readonly step: Step }) {
  const carrier = textAt(details, 'carrier') ?? '';
  switch (step) {
    case 'asked':
      return <Trans>Asked for, and accepted</Trans>;
    case 'gate':
      return <GateTitle gate={textAt(details, 'gate') ?? ''} result={result} />;
    case 'scheduled':
      return result === 'due' ? <Trans>Its time had come</Trans> : <Trans>Has to wait</Trans>;
    case 'hand_over':
      return <Trans>Handed to {carrier}</Trans>;
    case 'carrier':
      return <CarrierTitle carrier={carrier} result={result} />;
    case 'receipt':
      return <ReceiptTitle carrier={carrier} result={result} />;
    case 'device':
      return <Trans>Device: {result}</Trans>;
    default:
      return result === 'canceled' ? <Trans>Canceled</Trans> : result === 'expired' ? <Trans>Its time to live ended</Trans> : result;
  }
}

function GateTitle({ gate: key, result }: { readonly gate: string; readonly result: string }) {
  const { i18n } = useLingui();
  const words = gateWords.get(key);
  const gate = words ? i18n._(words) : key;
  if (result === 'passed') return <Trans>{gate}: passed</Trans>;
  return result === 'not_asked' ? <Trans>{gate}: not asked</Trans> : <Trans>{gate}: refused</Trans>;
}

function CarrierTitle({ carrier, result }: { readonly carrier: string; readonly result: string }) {
  if (result === 'accepted') return <Trans>{carrier} accepted it</Trans>;
  return result === 'failed' ? <Trans>The carrier refused it</Trans> : <Trans>The carrier could not take it yet</Trans>;
}

function ReceiptTitle({ carrier, result }: { readonly carrier: string; readonly result: string }) {
  const { i18n } = useLingui();
  const words = eventWords.get(result);
  if (!words) return <Trans>Report of {carrier} that changes nothing</Trans>;
  const known = i18n._(words);
  return (
    <Trans>
      Report of {carrier}: {known}
    </Trans>
  );
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
