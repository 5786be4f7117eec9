import { type Figure, figure, medianOf } from './figures.js';
import { copyOf, type DataFolder, environmentOf, newFolder, postMessage } from './folders.js';
import type { LoadJob, LoadResult } from './load.js';
import type { BenchContext, Measurement, PartDefinition } from './part.js';
import { runJob, type Server, startEcho, startService } from './processes.js';

const CONNECTIONS = 64;
const BOUND = { of: 'ratio', at: 'least', is: 0.35, aim: 0.5 } as const;

/** A measured server. `fresh`: it is restarted for each round, because work of the round remains. */
interface Subject {
  readonly name: string;
  readonly rates: number[];
  readonly start: () => Promise<Server>;
  readonly fresh: boolean;
  server?: Server;
}

/** Durable sends, one per request, compared with an echo of Express. */
export const sends: PartDefinition = { title: `durable POST /v1/messages/send, ${CONNECTIONS} connections`, measure };

async function measure({ quick, parent, say }: BenchContext): Promise<Measurement> {
  const [rounds, seconds, warmUp] = quick ? [3, 2, 2] : [5, 4, 3];
  const folder = await newFolder(parent);
  const subjects = subjectsOf(folder, parent);
  const generator: number[] = [];
  try {
    for (const subject of subjects.filter(({ fresh }) => !fresh)) {
      subject.server = await ready(subject, folder);
      await load(subject.server, folder, warmUp);
    }
    for (let round = 0; round < rounds; round++) {
      // Rotates the order, so that a machine that slows down favors no server.
      for (const subject of [...subjects.slice(round % subjects.length), ...subjects.slice(0, round % subjects.length)]) {
        const server = subject.server ?? (await ready(subject, folder));
        if (subject.fresh) await load(server, folder, warmUp);
        const { rate, generatorCpu } = await load(server, folder, seconds);
        subject.rates.push(rate);
        generator.push(generatorCpu);
        if (subject.fresh) await server.kill();
        say(`  round ${round + 1}, ${subject.name}: ${Math.round(rate)} a second (generator ${generatorCpu.toFixed(2)} of a core)`);
      }
    }
  } finally {
    await Promise.all(subjects.map(({ server }) => server?.kill()));
  }
  const dataset = `another recipient for each request, medians of ${rounds} rounds of ${seconds} s alternating, generator ${medianOf(generator).toFixed(2)} of a core`;
  return { dataset, figures: figuresOf(subjects) };
}

function subjectsOf(folder: DataFolder, parent: string): Subject[] {
  const service = (own: () => DataFolder, roles?: string) => () => startService(environmentOf(own(), roles));
  return [
    { name: 'plain echo', rates: [], fresh: false, start: () => startEcho('plain') },
    { name: 'lean echo', rates: [], fresh: false, start: () => startEcho('lean') },
    { name: 'send, accept path alone', rates: [], fresh: false, start: service(() => folder, 'api') },
    { name: 'send, all roles', rates: [], fresh: true, start: service(() => copyOf(folder, parent)) },
  ];
}

async function ready({ start, name }: Subject, { apiKey }: DataFolder): Promise<Server> {
  const server = await start();
  // Loads the key once: a process without projections waits for its read model until the time limit.
  if (name.startsWith('send')) await postMessage(server.url, apiKey);
  return server;
}

const load = ({ url }: Server, { apiKey }: DataFolder, seconds: number): Promise<LoadResult> =>
  runJob<LoadJob, LoadResult>('./load.js', { url, apiKey, connections: CONNECTIONS, seconds, post: '/v1/messages/send' });

function figuresOf(subjects: readonly Subject[]): Figure[] {
  const rate = (name: string) => medianOf(subjects.find((subject) => subject.name === name)?.rates ?? []);
  const [plain, lean] = ['plain echo', 'lean echo'].map((name) => ({ name, value: rate(name) })) as [Reference, Reference];
  const alone = rate('send, accept path alone');
  const all = rate('send, all roles');
  return [
    figure('plain echo: Express 5 with express.json()', plain.value, '/s'),
    figure('lean echo: the same on Express prototypes', lean.value, '/s'),
    figure('send, accept path alone (HELIOGRAPH_ROLES=api)', alone, '/s', { reference: lean, bound: BOUND }),
    figure('send, accept path alone', alone, '/s', { reference: plain }),
    figure('send, all roles, with hand-overs to carriers', all, '/s', { reference: lean, bound: BOUND }),
    figure('send, all roles', all, '/s', { reference: plain }),
  ];
}

interface Reference {
  readonly name: string;
  readonly value: number;
}
