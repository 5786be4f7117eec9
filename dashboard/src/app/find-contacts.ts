import { queryOptions } from '@tanstack/react-query';
import { answer, api } from '../api/client.ts';

export interface Found {
  readonly id: string;
  readonly name: string;
  /** What else names them; null if the name is their address. */
  readonly address: string | null;
}

/** The first contacts with all words of a text in their names or addresses. A text that the API cannot look for finds nobody. */
export const contactsLike = (text: string) =>
  queryOptions({
    queryKey: ['contact', 'list', 'palette', text],
    queryFn: async ({ signal }): Promise<readonly Found[]> => {
      const { data } = await answer(api.GET('/v1/contacts', { params: { query: { q: text, limit: 6 } }, signal }));
      return data.map(({ id, first_name, last_name, email, phone }) => {
        const name = [first_name, last_name].filter(Boolean).join(' ');
        const address = email ?? phone;
        return { id, name: name || address || id, address: name ? address : null };
      });
    },
    retry: false,
  });
