import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type VersionedValue, versioned } from '../../api/client.ts';
import { meQuery, useMay, useMe } from '../../api/session.ts';
import { useVersionedSave } from '../../api/versioned-save.ts';
import { toast } from '../../ui/toast.tsx';
import { type Settings, type SettingsPatch, settingsQuery } from './queries.ts';

interface SectionParts<D> {
  /** Names the draft. */
  readonly name: string;
  /** What of the settings the section is about. */
  readonly read: (settings: Settings) => D;
  readonly patch: (draft: D) => SettingsPatch;
}

interface Begun<D> {
  /** The settings when the person began. */
  readonly base: VersionedValue<Settings>;
  readonly draft: D;
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/**
 * A part of the settings that is changed and saved by itself. What is typed stays in this tab until it is saved or discarded: also over another
 * page, a reload, and the end of a session.
 */
export function useSection<D extends object>({ name, read, patch }: SectionParts<D>, settings: VersionedValue<Settings>) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const router = useRouter();
  const key = `settings ${name} ${useMe().user?.id}`;
  const [begun, setBegun] = useState<Begun<D> | null>(() => JSON.parse(sessionStorage.getItem(key) ?? 'null') as Begun<D> | null);
  const { base, draft } = begun ?? { base: settings, draft: read(settings.value) };
  const keep = (next: Begun<D> | null): void => {
    setBegun(next);
    if (next) sessionStorage.setItem(key, JSON.stringify(next));
    else sessionStorage.removeItem(key);
  };

  const { save, isPending, error, theirs, reset } = useVersionedSave<Settings>({
    base,
    reload: () => queries.fetchQuery({ ...settingsQuery, staleTime: 0 }),
    save: (version) => versioned(api.PATCH('/v1/account/settings', { body: patch(draft), headers: { 'If-Match': version } })),
    isUntouched: (before, now) => same(read(before), read(now)),
    onSaved: async (saved) => {
      queries.setQueryData(settingsQuery.queryKey, saved);
      keep(null);
      toast({ message: t`Saved.` });
      // Pages show the account's name, and times in its zone.
      await queries.invalidateQueries({ queryKey: meQuery.queryKey });
      await router.invalidate();
    },
  });

  return {
    draft,
    isDirty: begun !== null,
    mayWrite: useMay('settings:write'),
    save,
    isPending,
    error,
    theirs: theirs && read(theirs),
    set(change: Partial<D>): void {
      const next = { ...draft, ...change };
      keep(same(next, read(base.value)) ? null : { base, draft: next });
    },
    discard(): void {
      keep(null);
      reset();
    },
  };
}

export type SectionState<D extends object> = ReturnType<typeof useSection<D>>;
