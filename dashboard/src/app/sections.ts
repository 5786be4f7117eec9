import { useMe } from '../api/session.ts';
import { type Entry, type Section, sections } from './navigation.tsx';

/** The pages of the menu that the role of the signed-in user may read. */
export function useSections(): readonly Section[] {
  const permissions = useMe().user?.permissions ?? [];
  const mayUse = ({ needs }: Entry): boolean => needs === undefined || permissions.includes(needs);
  return sections.filter(mayUse).map((section) => ({ ...section, pages: section.pages?.filter(mayUse) }));
}
