import { createContext, useContext } from 'react';

/** The time zone of the account, in which all times are shown. */
export const ZoneContext = createContext('UTC');

/** The zone that a page names, or else the account's. */
export function useZone(named?: string): string {
  const zone = useContext(ZoneContext);
  return named ?? zone;
}
