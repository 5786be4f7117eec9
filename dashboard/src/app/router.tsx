import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router';
import { hasStatus } from '../api/errors.ts';
import { isPeriod, type Period } from '../api/overview.ts';
import { meQuery } from '../api/session.ts';
import { PageError, PageMissing, PagePending } from './page-states.tsx';
import { texts } from './search.ts';
import { Shell } from './shell.tsx';

interface Context {
  readonly queries: QueryClient;
}

const root = createRootRouteWithContext<Context>()({ component: Outlet });

/** A text of the address, or nothing. */
const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const signInRoute = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search): { return_to?: string } => ({ return_to: textOf(search.return_to) }),
}).lazy(() => import('../features/sign-in/sign-in-page.tsx').then(({ page }) => page));

/** All pages behind the sign-in. An ended session leads there, and back to the same address. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: Shell,
  async beforeLoad({ context, location }) {
    try {
      return { me: await context.queries.ensureQueryData(meQuery) };
    } catch (error) {
      if (hasStatus(error, 401)) throw redirect({ to: '/sign-in', search: { return_to: location.href } });
      throw error;
    }
  },
});

const overviewRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  validateSearch: ({ period }): { period?: Period } => (isPeriod(period) ? { period } : {}),
}).lazy(() => import('../features/overview/overview-page.tsx').then(({ page }) => page));

const ofMessages = ['contact_id', 'campaign_id', 'journey_id', 'template_id', 'batch_id', 'tag', 'created_after', 'created_before'] as const;

const messagesRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/messages',
  validateSearch: texts('status', 'channel', 'to', 'status_reason', ...ofMessages, 'order'),
}).lazy(() => import('../features/messages/history-page.tsx').then(({ page }) => page));

const receivedRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/messages/received',
  validateSearch: texts('channel', 'from', 'message_id', 'created_after', 'created_before', 'open'),
}).lazy(() => import('../features/messages/received-page.tsx').then(({ page }) => page));

const scheduledRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/messages/scheduled',
  validateSearch: texts('channel', 'to', ...ofMessages),
}).lazy(() => import('../features/messages/scheduled-page.tsx').then(({ page }) => page));

const sendRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/messages/send',
  validateSearch: texts('channel', 'to', 'contact_id', 'template_id'),
}).lazy(() => import('../features/messages/send-page.tsx').then(({ page }) => page));

const sandboxRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/messages/sandbox',
  validateSearch: texts('to', 'message_id', 'created_after', 'created_before'),
}).lazy(() => import('../features/messages/sandbox-page.tsx').then(({ page }) => page));

const messageRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/messages/$id',
  validateSearch: texts('tab'),
}).lazy(() => import('../features/messages/detail-page.tsx').then(({ page }) => page));

const messageRoutes = [messagesRoute, receivedRoute, scheduledRoute, sendRoute, sandboxRoute, messageRoute] as const;

const consentRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/consent',
  validateSearch: texts('address', 'contact_id', 'as_of'),
}).lazy(() => import('../features/consent/look-up-page.tsx').then(({ page }) => page));

const suppressionsRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/consent/suppressions',
  validateSearch: texts('channel', 'reason', 'address', 'created_after', 'created_before', 'open'),
}).lazy(() => import('../features/consent/suppressions-page.tsx').then(({ page }) => page));

const consentRoutes = [consentRoute, suppressionsRoute] as const;

/** The parts in all their states; only while the dashboard is developed, or if it is built with `VITE_GALLERY=1`. */
const galleryRoutes =
  import.meta.env.DEV || import.meta.env.VITE_GALLERY
    ? [
        createRoute({ getParentRoute: () => root, path: '/gallery' }).lazy(() =>
          import('../features/gallery/gallery-page.tsx').then(({ page }) => page),
        ),
      ]
    : [];

const routes = root.addChildren([signInRoute, ...galleryRoutes, signedIn.addChildren([overviewRoute, ...messageRoutes, ...consentRoutes])]);

export const createDashboardRouter = (queries: QueryClient) =>
  createRouter({
    routeTree: routes,
    basepath: '/dashboard',
    context: { queries },
    defaultPreload: 'intent',
    defaultPendingComponent: PagePending,
    defaultErrorComponent: PageError,
    defaultNotFoundComponent: PageMissing,
    scrollRestoration: true,
  });
