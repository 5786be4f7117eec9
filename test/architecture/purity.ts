import { codeOnly, lineAt, type SourceFile } from './source.js';

/** Where time and chance come from the system itself: the implementations of the ports, and engines of real stores. */
const OUTSIDE = ['ops/', 'bench/', 'engines/sqlite/', 'engines/eventstoredb/', 'engines/mongodb/', 'test/'];
const isOutside = ({ path }: SourceFile): boolean => OUTSIDE.some((place) => path.startsWith(place));

const timeAndChance: Readonly<Record<string, RegExp>> = {
  'the time of day instead of Clock.now': /\bDate\.now\b|\bnew Date\(\s*\)|(?<!new )\bDate\(\s*\)/g,
  'a duration instead of Clock.monotonic': /\bperformance\b|\bprocess\.hrtime\b/g,
  'a timer instead of Clock.sleep, timer or yieldToEventLoop': /\bset(?:Timeout|Interval|Immediate)\b|\bAbortSignal\.timeout\b/g,
  'chance instead of Entropy': /\bMath\.random\b|\brandom(?:Bytes|UUID|Int|Fill|FillSync)\b|\bgetRandomValues\b/g,
};
/** Modules whose only purpose is time. */
const timerModules = /(?<=['"])node:timers(?:\/promises)?(?=['"])/g;

/** Time and chance that do not come in through the ports Clock and Entropy. */
export function timeOrChance(file: SourceFile): string[] {
  if (isOutside(file)) return [];
  const code = codeOnly(file.text);
  const used = Object.entries(timeAndChance).flatMap(([what, form]) =>
    [...code.matchAll(form)].map((found) => `${file.path}:${lineAt(code, found.index)} takes ${what}`),
  );
  const imported = [...file.text.matchAll(timerModules)].map(
    (found) => `${file.path}:${lineAt(file.text, found.index)} takes timers from ${found[0]}`,
  );
  return [...used, ...imported];
}

/** Module-level values that may be mutable, each with its reason. */
const allowedState: Readonly<Record<string, string>> = {
  'domain/accounts/settings.ts knownZones': 'a bounded memo of a pure function, since Intl takes a quarter of a millisecond for each time zone',
  'domain/segments/comparing.ts matchers': 'a memo of a pure function by the rule that it is about, which never changes; it goes with the rule',
  'domain/messages/text-parts.ts septets': 'a table that is filled once as the module loads',
};

const DECLARED = /^(?:export )?(let|var|const) (\w+)(?:: [^=\n]+)? = ?([^\n]*)/gm;
const MUTATORS = 'set|add|delete|clear|push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin';
/** Constructors of values that never change once they are made, or that have no state of their own. */
const IMMUTABLE =
  /^new (?:Map|Set|WeakMap|WeakSet|RegExp|Error|URL|TextDecoder|TextEncoder|Intl\.\w+|Date|Uint8Array|Float64Array|EventTypeRegistry|Html)\b/;

/** State that lives as long as the module: every process of the program would share it, and every test. */
export function moduleState(file: SourceFile): string[] {
  if (isOutside(file)) return [];
  const code = codeOnly(file.text);
  return [...code.matchAll(DECLARED)].flatMap((found) => {
    const [, keyword, name, value = ''] = found;
    if (`${file.path} ${name}` in allowedState) return [];
    const mutated = new RegExp(
      `(?<![.\\w])${name}(?:\\.(?:${MUTATORS})\\(|(?:\\.\\w+|\\[[^\\]]*\\])+ ?(?:[-+*/|&^]|\\?\\?|\\|\\||&&)?=(?![=>])|(?:\\.\\w+|\\[[^\\]]*\\])+(?:\\+\\+|--))`,
    );
    const stateful = /^new /.test(value) && !IMMUTABLE.test(value);
    const opened = /^(?:create|open|start)(?!Hash|Hmac|Require|SecretKey)[A-Z]\w*\(/.test(value);
    if (keyword === 'const' && !mutated.test(code) && !stateful && !opened) return [];
    return [`${file.path}:${lineAt(code, found.index)} keeps the state '${name}' in the module`];
  });
}
