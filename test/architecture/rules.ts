import { posix } from 'node:path';
import { codeOnly, importsOf, type Layer, layers, lineAt, type SourceFile } from './source.js';

/** What each layer may import of ours. Dependencies point one way. A prefix that ends in `/` includes all below it. */
export const mayImport: Readonly<Record<Layer, readonly string[]>> = {
  domain: ['domain/'],
  formats: ['domain/', 'formats/'],
  log: ['domain/', 'formats/', 'log/'],
  commands: ['domain/', 'formats/', 'log/', 'commands/'],
  projections: ['domain/', 'formats/', 'log/', 'projections/'],
  net: ['domain/', 'net/'],
  processes: ['domain/', 'formats/', 'log/', 'commands/', 'projections/', 'net/', 'carriers/runtime/carrier.ts', 'processes/'],
  api: ['domain/', 'formats/', 'log/', 'commands/', 'projections/', 'net/', 'api/'],
  engines: ['domain/kernel/', 'engines/'],
  carriers: ['domain/', 'net/', 'carriers/'],
  ops: layers.filter((layer) => layer !== 'test' && layer !== 'bench').map((layer) => `${layer}/`),
  bench: layers.filter((layer) => layer !== 'test').map((layer) => `${layer}/`),
  // Of the dashboard, what needs no browser.
  test: [...layers.map((layer) => `${layer}/`), 'clients/', 'dashboard/src/ui/pure/'],
};

/** Packages that only these places may name. Whatever is not listed is free outside the domain. */
export const packageHomes: Readonly<Record<string, readonly string[]>> = {
  'node:sqlite': ['engines/'],
  '@photostructure/sqlite': ['engines/'],
  express: ['api/', 'ops/', 'bench/'],
  typebox: ['domain/kernel/schema.ts', 'log/', 'commands/', 'projections/', 'processes/', 'api/', 'ops/', 'bench/'],
  winston: ['ops/'],
  'prom-client': ['ops/'],
  commander: ['ops/', 'bench/'],
};

/** One word for a capability, the same in every layer. */
export const capabilities = [
  'accounts',
  'messages',
  'contacts',
  'consent',
  'suppressions',
  'events',
  'lists',
  'segments',
  'campaigns',
  'journeys',
  'templates',
  'forms',
  'inbox',
  'push',
  'scores',
  'webhooks',
  'parked',
  'jobs',
  'overview',
  'changes',
  'activity',
  'views',
] as const;

/** Folders of a layer beside those of capabilities. */
export const otherFolders: Readonly<Record<Layer, readonly string[]>> = {
  domain: ['kernel'],
  formats: [],
  log: ['runtime', 'feed', 'vault', 'snapshots', 'aggregates'],
  commands: ['runtime'],
  projections: ['runtime'],
  processes: ['runtime'],
  net: [],
  api: ['http', 'pages', 'openapi', 'docs', 'public', 'me'],
  engines: ['memory', 'sqlite', 'eventstoredb', 'mongodb'],
  // Each carrier has a folder: see rooms.ts.
  carriers: ['runtime'],
  ops: ['app', 'cli', 'engines', 'monitoring', 'store-consistency', 'system'],
  bench: ['engines'],
  test: [
    'architecture',
    'budget',
    'contract',
    'api',
    'carriers',
    'commands',
    'domain',
    'engines',
    'servers',
    'faults',
    'cluster',
    'browser',
    'dashboard',
    'golden',
    'log',
    'net',
    'nodes',
    'ops',
    'processes',
    'projections',
    'service',
    'slow',
    'simulation',
    'seeds',
    'support',
  ],
};

/** Where a pure function would stop being one. */
const impure: Readonly<Record<string, RegExp>> = {
  'the clock': /\bDate\.now\b|\bnew Date\(\s*\)|\bnew Date\b(?!\s*\()|(?<!new )\bDate\(|\bperformance\./g,
  randomness: /\bMath\.random\b|\bcrypto\b|\brandom(?:Bytes|UUID|Int)\b/g,
  'the process': /\bprocess\s*[.[]|\bglobalThis\b/g,
  'the console': /\bconsole\s*\./g,
  'timers or the network': /\b(?:setTimeout|setInterval|setImmediate|queueMicrotask|fetch)\s*\(/g,
  'an import by a computed name': /\bimport\s*\((?!\s*['"`])|\brequire\b/g,
};

const MAX_LINES = 350;

/** Every broken rule of a source tree as a sentence with its place. */
export const brokenRules = (files: readonly SourceFile[]): string[] =>
  files.flatMap((file) => [...brokenImports(file), ...brokenPlacing(file), ...brokenPurity(file), ...brokenTyping(file)]);

const layerOf = (path: string): Layer | undefined => layers.find((layer) => path.startsWith(`${layer}/`));
const within = (path: string, places: readonly string[]): boolean =>
  places.some((place) => (place.endsWith('/') ? path.startsWith(place) : path === place));

function brokenImports(file: SourceFile): string[] {
  const layer = layerOf(file.path);
  if (!layer) return [];
  return importsOf(file).flatMap(({ specifier, line }) => {
    const wrong = specifier.startsWith('.') ? wrongFile(file.path, layer, specifier) : wrongPackage(file.path, layer, specifier);
    return wrong ? [`${file.path}:${line} ${wrong}`] : [];
  });
}

function wrongFile(from: string, layer: Layer, specifier: string): string | undefined {
  const target = posix.join(posix.dirname(from), specifier).replace(/\.js$/, '.ts');
  if (!within(target, mayImport[layer])) return `imports ${target}: ${layer} may import ${mayImport[layer].join(', ')}`;
  if (layer === 'engines' && engineOf(target) && engineOf(from) !== engineOf(target) && target.startsWith('engines/'))
    return `imports another engine, ${target}`;
  return undefined;
}

const engineOf = (path: string): string | undefined => /^engines\/([^/]+)\//.exec(path)?.[1];

function wrongPackage(from: string, layer: Layer, specifier: string): string | undefined {
  const name = specifier.startsWith('@') ? specifier.split('/').slice(0, 2).join('/') : specifier.replace(/^(?!node:)([^/]+)\/.*/, '$1');
  const homes = packageHomes[name];
  if (layer === 'test') return undefined;
  if (layer === 'domain' && !homes) return `imports '${specifier}': the domain imports nothing from outside`;
  return homes && !within(from, homes) ? `imports '${specifier}': only ${homes.join(', ')} may` : undefined;
}

function brokenPlacing({ path, text }: SourceFile): string[] {
  const layer = layerOf(path);
  if (!layer) return [`${path} is in no layer`];
  const [, ...rest] = path.split('/');
  const name = rest.pop() as string;
  const broken: string[] = [];
  const folder = rest[0];
  if (folder && layer !== 'carriers' && ![...capabilities, ...otherFolders[layer]].includes(folder))
    broken.push(`${path} is in the folder '${folder}', which is no capability and not listed`);
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.(?:spec|contract))?\.ts$/.test(name)) broken.push(`${path} is not named in kebab-case`);
  const lines = text.split('\n').length - 1;
  if (lines > MAX_LINES) broken.push(`${path} has ${lines} lines, more than ${MAX_LINES}`);
  return broken;
}

function brokenPurity({ path, text }: SourceFile): string[] {
  if (!path.startsWith('domain/') && !path.startsWith('formats/')) return [];
  const code = codeOnly(text);
  return Object.entries(impure).flatMap(([what, form]) =>
    [...code.matchAll(form)].map((found) => `${path}:${lineAt(code, found.index)} reaches for ${what}`),
  );
}

/** The compiler is not to be silenced; `any` needs its reason in a `biome-ignore` on the line above. */
function brokenTyping({ path, text }: SourceFile): string[] {
  const lines = text.split('\n');
  const code = codeOnly(text);
  const silenced = lines.flatMap((line, i) =>
    /@ts-(?:ignore|nocheck|expect-error)\b/.test(line) && !path.startsWith('test/architecture/') ? [`${path}:${i + 1} silences the compiler`] : [],
  );
  const escapes = [...code.matchAll(/(?:[:<|&,(]\s*|\bas\s+|=>\s*)any\b(?!\s*[:(?.\w])/g)].flatMap((found) => {
    const line = lineAt(code, found.index + found[0].length - 1);
    const excused = lines.slice(Math.max(0, line - 3), line).some((l) => l.includes('biome-ignore lint/suspicious/noExplicitAny:'));
    return excused ? [] : [`${path}:${line} uses 'any' without a reason`];
  });
  return [...silenced, ...escapes];
}
