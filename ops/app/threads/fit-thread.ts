import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { FitTask } from '../../../commands/scores/ports.js';
import { fitAll } from './fit-all.js';

type Purchases = FitTask['purchases'];
type Channel = FitTask['messages']['channels'][number];

/** A message to the thread: buyers, contacts of a channel, or what begins the fit. */
export type FitPart = Pick<Purchases, 'buyers'> | Channel | { readonly purchases: Omit<Purchases, 'buyers'>; readonly now: number };

/** The entry of a thread that collects what an account has recorded, answers with fitted models, and ends. */
if (!parentPort) throw new Error('this file is the entry of a worker thread');
const port = parentPort;
// Requests and deliveries go first where the cores are busy. Only on Linux does this apply to one thread, elsewhere to the whole process.
if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);
const buyers: Purchases['buyers'][number][] = [];
const channels = new Map<string, { channel: string; contacts: Channel['contacts'][number][]; hours: Channel['hours'][number][] }>();
port.on('message', (part: FitPart) => {
  if ('buyers' in part) buyers.push(...part.buyers);
  else if ('channel' in part) {
    const { channel } = part;
    const known = channels.get(channel) ?? { channel, contacts: [], hours: [] };
    known.contacts.push(...part.contacts);
    known.hours.push(...part.hours);
    channels.set(channel, known);
  } else {
    port.postMessage(fitAll({ purchases: { ...part.purchases, buyers }, messages: { now: part.now, channels: [...channels.values()] } }));
    port.close();
  }
});
