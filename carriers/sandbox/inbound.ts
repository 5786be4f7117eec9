import type { KeywordChannel } from '../../domain/suppressions/inbound-text.js';
import type { InboundReport } from '../runtime/carrier.js';
import { SANDBOX } from './sandbox.js';

/** An inbound text that a developer simulates. */
export interface SimulatedText {
  readonly id?: string;
  readonly channel?: KeywordChannel;
  readonly from: string;
  readonly to?: string;
  readonly text: string;
  /** Simulates a carrier that replies to keywords itself. */
  readonly answered?: boolean;
  readonly at?: string;
}

/** The report of a simulated text. */
export const inboundReport = ({ id, channel = 'sms', to, answered = false, ...given }: SimulatedText): InboundReport => ({
  ...given,
  carrier: SANDBOX,
  carrier_message_id: id ?? null,
  channel,
  to: to ?? null,
  answered,
});
