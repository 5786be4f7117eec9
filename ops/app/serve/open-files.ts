import { readFileSync } from 'node:fs';

/** Read models, log and keys take some 300 files, and each connection takes one. */
const LEAST = 512;

/** Throws where this process may open too few files. `limits`: what Linux says of the process; other systems are not checked. */
export function requireOpenFiles(limits = linuxLimits()): void {
  const [, soft = ''] = /^Max open files +(\d+)/m.exec(limits) ?? [];
  if (soft !== '' && Number(soft) < LEAST)
    throw new Error(`This process may open only ${soft} files. Raise the limit of open files (ulimit -n) to at least ${LEAST}, better 4096.`);
}

function linuxLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}
