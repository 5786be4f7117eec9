/**
 * What a page takes from its address, as texts; all else is left out. The router reads `tag=7` as a number, so that numbers are texts again here.
 */
export const texts =
  <K extends string>(...names: readonly K[]) =>
  (search: Record<string, unknown>): { [P in K]?: string } => {
    const found = names.flatMap((name) => {
      const value = search[name];
      const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
      return typeof text === 'string' && text !== '' ? [[name, text]] : [];
    });
    return Object.fromEntries(found) as { [P in K]?: string };
  };
