import { ownField } from '../../../domain/kernel/own-fields.js';

/** Errors of the operating system as sentences that say what to do. */

type Explain = (error: NodeJS.ErrnoException & { readonly port?: number; readonly address?: string }) => string;

const sentences: Readonly<Record<string, Explain>> = {
  EADDRINUSE: ({ address, port }) =>
    `Port ${port} of ${address} is in use by another program. Stop it, or choose another port (--port, PORT); 0 takes a free one.`,
  EADDRNOTAVAIL: ({ address }) => `This machine does not have the address ${address}. Correct HOST.`,
  EACCES: ({ path, port }) =>
    path === undefined
      ? `Port ${port} is not allowed for this user. Choose one above 1023.`
      : `${path} is not accessible for this user. Correct its permissions.`,
  EPERM: ({ path }) => `${path ?? 'A file'} may not be changed by this user. Correct its permissions.`,
  ENOENT: ({ path }) => `There is no ${path}.`,
  ENOTDIR: ({ path }) => `${path} is not a folder.`,
  EISDIR: ({ path }) => `${path ?? 'The file'} is a folder.`,
  EEXIST: ({ path }) => `${path} exists already.`,
  EROFS: ({ path }) => `${path} is on a file system that cannot be written. Choose another folder (--data-dir, HELIOGRAPH_DATA_DIR).`,
  ENOSPC: ({ path }) => `The disk of ${path ?? 'the data folder'} is full. Make room, then repeat the command.`,
  EMFILE: () => 'Too many files are open. Raise the limit of open files (ulimit -n) to at least 4096.',
  ECONNREFUSED: ({ address, port }) => `Nothing answers at ${address}:${port}. Check the address and whether the server runs.`,
  ENOTFOUND: (error) => `The host ${(error as { hostname?: string }).hostname} is not known. Check the address.`,
};

/** The sentence for an error of the operating system; undefined for any other error. */
export function systemErrorText(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return error instanceof Error && typeof code === 'string' && Object.hasOwn(sentences, code) ? ownField(sentences, code)?.(error) : undefined;
}
