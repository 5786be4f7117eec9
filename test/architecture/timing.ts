import { type SourceFile, withoutComments } from './source.js';

/** What is measured there is what these suites are for: they run alone, with limits that the documents promise. */
const MEASURES = /^test\/(faults|simulation)\//;
/** A time that passed while a spec ran. */
const ELAPSED = /(?:performance|Date)\.now\(\) - /;
const NAMED = /(?:const|let) (\w+) = .*(?:performance|Date)\.now\(\) - /g;
/** A limit that scales. */
const SCALED = /const (\w+) = .*\bTIMEOUT_FACTOR\b/g;
const BOUND = /\.(?:below|at\.most|lessThan|within)\(/;
/** The code waits for nothing but that time passes. */
const SLEEP = /await new Promise[^\n]*setTimeout\(\w+, [\d_]+\)|await sleep\([\d_]+\)|await \w*[cC]lock\.sleep\([\d_]+\)/;

/** Where a spec depends on how fast the machine is: real time below a fixed limit, or a wait for nothing but time. */
export function timingHazards({ path, text }: SourceFile): string[] {
  if (!/^test\/.*\.(spec|contract)\.ts$/.test(path) || MEASURES.test(path)) return [];
  const code = withoutComments(text);
  const names = [...code.matchAll(NAMED)].map(([, name = '']) => name);
  const isElapsed = (line: string): boolean => ELAPSED.test(line) || names.some((name) => new RegExp(`expect\\(${name}\\b`).test(line));
  const scaled = ['TIMEOUT_FACTOR', ...[...code.matchAll(SCALED)].map(([, name = '']) => name)];
  const isScaled = (line: string): boolean => scaled.some((name) => new RegExp(`\\b${name}\\b`).test(line));
  return code.split('\n').flatMap((line, i) => {
    if (BOUND.test(line) && isElapsed(line) && !isScaled(line)) return [`${path}:${i + 1} bounds real time without TIMEOUT_FACTOR`];
    return SLEEP.test(line) ? [`${path}:${i + 1} waits for a fixed time`] : [];
  });
}
