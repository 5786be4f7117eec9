import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { VersionedValue } from './client.ts';
import { ApiError } from './errors.ts';

interface VersionedSaveParts<T> {
  /** What the person began with; null while it is loaded. */
  readonly base: VersionedValue<T> | null;
  readonly reload: () => Promise<VersionedValue<T>>;
  /** The PATCH with this version in `If-Match`. */
  readonly save: (version: string) => Promise<VersionedValue<T>>;
  /** Whether a change by somebody else leaves alone what is saved here: then it is no conflict. */
  readonly isUntouched?: (before: T, now: T) => boolean;
  readonly onSaved: (saved: VersionedValue<T>) => unknown;
}

const isConflict = (error: unknown): boolean => error instanceof ApiError && error.code === 'version_conflict';

/**
 * Saves a change of a resource. If somebody else has changed the same meanwhile, nothing is saved, and `theirs` is what there is now; saving once
 * more then puts the change over it.
 */
export function useVersionedSave<T>({ base, reload, save, isUntouched, onSaved }: VersionedSaveParts<T>) {
  const [theirs, setTheirs] = useState<VersionedValue<T> | null>(null);
  const mutation = useMutation({
    async mutationFn(): Promise<VersionedValue<T> | null> {
      const begun = theirs ?? base;
      try {
        return await save(begun?.version ?? '*');
      } catch (error) {
        if (!isConflict(error) || !begun) throw error;
        const now = await reload();
        if (isUntouched?.(begun.value, now.value)) return await save(now.version ?? '*');
        setTheirs(now);
        return null;
      }
    },
    onSuccess(saved) {
      if (saved === null) return undefined;
      setTheirs(null);
      return onSaved(saved);
    },
  });
  return {
    save: () => mutation.mutate(),
    isPending: mutation.isPending,
    error: mutation.error,
    theirs: theirs?.value ?? null,
    /** Forgets a conflict or a failure. */
    reset() {
      setTheirs(null);
      mutation.reset();
    },
  };
}
