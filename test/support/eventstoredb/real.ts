import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * The variable with a shell command that starts an empty EventStoreDB and prints its address as its last line. With the argument
 * `stop` it ends the server that it started before. It keeps its files in TMPDIR: servers of different folders run side by side.
 */
export const FRESH = 'EVENTSTOREDB_FRESH';
const START_MS = 120_000;

/** Where the servers of this process are: a folder for each, used again once its server is ended. */
let folder: string | null = null;
const free: string[] = [];
const used = new Set<string>();

/** A real server for one installation, with an empty log. */
export class RealEventStoreDb {
  private constructor(
    readonly url: string,
    private readonly dir: string,
  ) {}

  static async start(): Promise<RealEventStoreDb> {
    const dir = free.pop() ?? newFolder();
    used.add(dir);
    const { stdout } = await promisify(execFile)('bash', ['-c', process.env[FRESH] ?? ''], {
      env: { ...process.env, TMPDIR: dir },
      timeout: START_MS,
    });
    const url = stdout.trim().split('\n').at(-1) ?? '';
    if (!/^esdb(\+discover)?:\/\//.test(url)) throw new Error(`the command in ${FRESH} printed no address of a server: '${stdout}'`);
    return new RealEventStoreDb(url, dir);
  }

  async stop(): Promise<void> {
    if (!used.has(this.dir)) return;
    stopIn(this.dir);
    used.delete(this.dir);
    free.push(this.dir);
  }
}

function newFolder(): string {
  if (folder === null) {
    const made = mkdtempSync(join(tmpdir(), 'heliograph-eventstoredb-'));
    folder = made;
    process.on('exit', () => {
      for (const dir of used) stopIn(dir);
      rmSync(made, { recursive: true, force: true });
    });
  }
  const dir = join(folder, `${used.size + free.length}`);
  mkdirSync(dir);
  return dir;
}

function stopIn(dir: string): void {
  execFileSync('bash', ['-c', `${process.env[FRESH]} stop`], { env: { ...process.env, TMPDIR: dir }, stdio: 'ignore' });
}
