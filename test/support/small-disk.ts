import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Commands that may mount something, in this order. */
const WAYS = [[], ['sudo', '-n']] as const;

/** A file system in memory, so that it can be filled. It needs the right to mount. */
export class SmallDisk {
  private constructor(
    private readonly dir: string,
    private readonly way: readonly string[],
  ) {}

  /** Over an empty folder. Null where this machine does not allow it. */
  static mount(dir: string, megabytes: number): SmallDisk | null {
    for (const way of WAYS) {
      const disk = new SmallDisk(dir, way);
      try {
        disk.#run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0777`, 'tmpfs', dir);
        return disk;
      } catch {}
    }
    return null;
  }

  fill(): void {
    const file = openSync(join(this.dir, 'filler'), 'a');
    try {
      for (const block of [Buffer.alloc(1 << 20), Buffer.alloc(1 << 10), Buffer.alloc(1)]) writeUntilFull(file, block);
    } finally {
      closeSync(file);
    }
  }

  free(): void {
    rmSync(join(this.dir, 'filler'));
  }

  setReadOnly(readOnly: boolean): void {
    this.#run('mount', '-o', `remount,${readOnly ? 'ro' : 'rw'}`, this.dir);
  }

  unmount(): void {
    this.#run('umount', '-l', this.dir);
  }

  #run(...command: readonly string[]): void {
    const [program = '', ...given] = [...this.way, ...command];
    execFileSync(program, given, { stdio: 'ignore' });
  }
}

function writeUntilFull(file: number, block: Buffer): void {
  try {
    while (writeSync(file, block) === block.length);
  } catch (e) {
    if ((e as NodeJS.ErrnoException).code !== 'ENOSPC') throw e;
  }
}
