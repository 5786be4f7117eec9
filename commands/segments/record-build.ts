import type { LiveSegmentEvent } from '../../domain/segments/live/recorded.js';
import { segmentBuildStream } from '../../domain/segments/live/recorded.js';
import { internalCommand } from '../runtime/command.js';

/** A step of the building of rules, after the steps that the decision has seen. */
export interface BuildStep {
  readonly build_id: string;
  /** Number of the steps before. */
  readonly steps: number;
  readonly event: Exclude<LiveSegmentEvent, { type: 'SegmentMembershipsChanged' }>;
}

/** Records a step. Throws WrongExpectedRevision if another one was recorded meanwhile. */
export const recordBuildStep = internalCommand({
  name: 'RecordSegmentBuildStep',

  async handle({ build_id, steps, event }: BuildStep, context): Promise<void> {
    await context.append(segmentBuildStream(build_id), steps === 0 ? 'no-stream' : steps - 1, [event]);
  },
});
