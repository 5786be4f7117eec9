import type { KeywordChannel } from '../../domain/suppressions/inbound-text.js';
import type { InboundReport } from '../kernel.js';
import { SANDBOX } from './sandbox.js';

/** What somebody who plays a person with a telephone tells the sandbox. */
export interface SimulatedText {
  readonly id?: string;
  readonly channel?: KeywordChannel;
  readonly from: string;
  readonly to?: string;
  readonly text: string;
  /** Plays a carrier that answers keywords itself. */
  readonly answered?: boolean;
  readonly at?: string;
}

/** The sandbox's report of a text. */
export const inboundReport = ({ id, channel = 'sms', to, answered = false, ...given }: SimulatedText): InboundReport => ({
  ...given,
  carrier: SANDBOX,
  carrier_message_id: id ?? null,
  channel,
  to: to ?? null,
  answered,
});
