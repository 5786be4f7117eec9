import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { signOut } from '../api/session.ts';
import { applyBrand } from '../ui/theme.ts';

/** Ends the session, and forgets all that was loaded in it. */
export function useSignOut(): () => Promise<void> {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    await signOut().catch(() => {});
    queries.clear();
    applyBrand(null);
    await navigate({ to: '/sign-in' });
  };
}
