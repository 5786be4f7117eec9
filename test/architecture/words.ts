import { type SourceFile, withoutStrings } from './source.js';

/** A word that code, comments and internal documents do not use. */
export interface ForbiddenWord {
  readonly word: RegExp;
  /** What to write instead. */
  readonly use: string;
  /** Where it stays. */
  readonly except?: readonly Exception[];
}

interface Exception {
  /** The text that may stay, wherever it stands in the named files. */
  readonly text: RegExp;
  readonly files?: RegExp;
  readonly because: string;
}

/** Written without regard to case, and also within names. docs/glossary.md has the terms to use. */
export const forbiddenWords: readonly ForbiddenWord[] = [
  // American spelling
  { word: /behaviour/gi, use: 'behavior' },
  { word: /catalogue/gi, use: 'catalog' },
  { word: /colour/gi, use: 'color' },
  { word: /recognis/gi, use: 'recognize' },
  {
    word: /\b(?:organis|normalis|authoris|serialis|initialis|optimis|summaris|minimis|maximis|utilis|categoris|customis|prioritis)\w*/gi,
    use: '-ize',
  },
  {
    word: /\bcancelled|\blabelled(?!by\b)|\btravell|\bmodell(?:ed|ing)|\bdialled/gi,
    use: 'one l',
    except: [{ text: /CancelledError|\.cancelled\b/, files: /eventstoredb/, because: 'names of gRPC and of its client' }],
  },
  { word: /honour|favour|neighbour/gi, use: '-or' },
  { word: /misspelt|judgement/gi, use: 'misspelled, judgment' },
  // One fact, one word
  { word: /passing.error|lasting.error/gi, use: 'transient error, permanent error' },
  {
    word: /hand-?overs?\b|handedOver|handOver/gi,
    use: 'dispatch, send result',
    except: [
      { text: /PushHandedOver|RecordHandOver|RecordBulkHandOvers/, because: 'stored names of an event and of commands' },
      { text: /hand_over|handed_over/, because: 'stored, and answered by the API' },
    ],
  },
  { word: /former.?imports?/gi, use: 'legacy import' },
  { word: /happenings?(?!\s+(?:to|at|in))/gi, use: 'contact signal, counted event' },
  { word: /\bunite[sd]?\b|Unites?[A-Z]|\bunite[A-Z]|United/g, use: 'unify, unified' },
  { word: /inlet/gi, use: 'inbound route' },
  { word: /\bkept.?folds?/gi, use: 'snapshotted aggregate' },
  { word: /\brecent.?states?\b/gi, use: 'aggregate cache' },
  { word: /\bkillers?\b/gi, use: 'crash suspect, culprit' },
  { word: /\bremains\b(?=\s*(?:of a|\/))|findRemains|compareRemains/gi, use: 'store inventory, store consistency' },
  { word: /\bstarters?\b/gi, use: 'journey template' },
  { word: /\b(?:import )?circles? of imports/gi, use: 'import cycle' },
  { word: /falls? over|fall-over|fallOver/gi, use: 'fail over, failover' },
  { word: /definedFields/g, use: 'omitUndefined' },
  { word: /levelPartitions/g, use: 'alignPartitions' },
];

/** Names of types are nouns. A participle says what was done, and leaves open to what. */
const PARTICIPLE =
  /^(?:[A-Z][a-z]+(?:ed|ing)|Made|Known|Found|Taken|Sent|Kept|Held|Built|Begun|Given|Shown|Drawn|Said|Told|Bought|Open|Ready|Recent|Former|Later|Whole|Which|Where|About|After|Before|Until|Outside|Inside|Always|Missing)$/;
/** Nouns of that form. */
const NOUNS: ReadonlySet<string> = new Set([
  'Feed',
  'Seed',
  'Heading',
  'Opening',
  'Paging',
  'Rating',
  'Routing',
  'Setting',
  'Spending',
  'Timing',
  'Cleaning',
  'Tracking',
  'Dispatching',
  'Warning',
]);

/** Names that each aggregate has: the parts of its decider. */
const OF_EACH_AGGREGATE: ReadonlySet<string> = new Set(['evolve', 'decide']);

/** Every forbidden word of a text with its place. Strings are left out: users see them, or they are stored. */
export function wrongWords({ path, text }: SourceFile): string[] {
  // The list itself names them.
  if (path.startsWith('test/architecture/words')) return [];
  const read = path.endsWith('.ts') ? withoutStrings(text) : withoutQuotes(text);
  return read.split('\n').flatMap((line, i) =>
    forbiddenWords.flatMap(({ word, use, except = [] }) =>
      [...line.matchAll(word)].flatMap((found) => {
        const around = line.slice(Math.max(0, found.index - 20), found.index + found[0].length + 20);
        const stays = except.some(({ text: allowed, files }) => allowed.test(around) && (!files || files.test(path)));
        return stays ? [] : [`${path}:${i + 1} says '${found[0]}': write ${use}`];
      }),
    ),
  );
}

/** In documents, what stands in code marks may be a stored name. */
const withoutQuotes = (text: string): string => text.replace(/`[^`\n]*`/g, (quoted) => ' '.repeat(quoted.length));

/** Types of production code that are named by a participle. */
export function participles({ path, text }: SourceFile): string[] {
  if (path.startsWith('test/')) return [];
  const declared = [...text.matchAll(/^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|class) (\w+)/gm)].map((found) => found[1] ?? '');
  return declared.filter((name) => PARTICIPLE.test(name) && !NOUNS.has(name)).map((name) => `${path} names a type '${name}': a noun says what it is`);
}

/** Names that two files of production code export. */
export function namesWithTwoMeanings(files: readonly SourceFile[]): string[] {
  const homes = new Map<string, string[]>();
  for (const { path, text } of files) {
    if (path.startsWith('test/')) continue;
    const exported = text.matchAll(/^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm);
    for (const name of new Set([...exported].map((found) => found[1] ?? ''))) homes.set(name, [...(homes.get(name) ?? []), path]);
  }
  return [...homes]
    .filter(([name, paths]) => paths.length > 1 && !OF_EACH_AGGREGATE.has(name))
    .map(([name, paths]) => `'${name}' is exported by ${paths.join(' and ')}`);
}
