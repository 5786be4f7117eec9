import { defaultParseSearch } from '@tanstack/react-router';

/** What a `Link` takes for an address below `/dashboard`, such as `/messages?status=failed`. */
export function linkTo(address: string): { to: string; search: Record<string, unknown>; hash?: string } {
  const url = new URL(address, location.origin);
  return { to: url.pathname, search: defaultParseSearch(url.search), ...(url.hash && { hash: url.hash.slice(1) }) };
}
