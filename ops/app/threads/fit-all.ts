import type { FitTask, FittedModels } from '../../../commands/scores/ports.js';
import { fitAccount } from '../../../domain/scores/fit-account.js';
import { fitChannels } from '../../../domain/scores/fit-engagement.js';

/** Fits what an account has recorded. It takes seconds. */
export const fitAll = ({ purchases, messages }: FitTask): FittedModels => ({ purchases: fitAccount(purchases), channels: fitChannels(messages) });
