import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router';
import { hasStatus } from '../api/errors.ts';
import { isPeriod, type Period } from '../api/overview.ts';
import { meQuery } from '../api/session.ts';
import { PageError, PageMissing, PagePending } from './page-states.tsx';
import { texts, textsByName } from './search.ts';
import { Shell } from './shell.tsx';

interface Context {
  readonly queries: QueryClient;
}

const root = createRootRouteWithContext<Context>()({ component: Outlet });

/** A text of the address, or nothing. */
const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** A section's own address shows its first page. */
const leadTo = (to: '/developers/keys' | '/settings/account'): never => {
  throw redirect({ to, replace: true });
};

const signInRoute = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search): { return_to?: string } => ({ return_to: textOf(search.return_to) }),
}).lazy(() => import('../features/sign-in/sign-in-page.tsx').then(({ page }) => page));

const forgotPasswordRoute = createRoute({ getParentRoute: () => root, path: '/forgot-password' }).lazy(() =>
  import('../features/sign-in/forgot-password-page.tsx').then(({ page }) => page),
);

const resetRoute = createRoute({ getParentRoute: () => root, path: '/reset/$token' }).lazy(() =>
  import('../features/sign-in/reset-page.tsx').then(({ page }) => page),
);

const invitationRoute = createRoute({ getParentRoute: () => root, path: '/invitation/$token' }).lazy(() =>
  import('../features/sign-in/invitation-page.tsx').then(({ page }) => page),
);

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

const ofContacts = texts(
  'q',
  'list_id',
  'segment_id',
  'tag',
  'email',
  'phone',
  'possible_duplicates',
  'created_after',
  'created_before',
  'order',
  'columns',
);

const contactsRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/people',
  validateSearch: (search) => ({ ...ofContacts(search), ...textsByName('custom_field')(search) }),
}).lazy(() => import('../features/people/contacts-page.tsx').then(({ page }) => page));

const contactRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/people/$id',
  validateSearch: texts('tab', 'as_of', 'kind', 'after', 'before'),
}).lazy(() => import('../features/people/contact-page.tsx').then(({ page }) => page));

const listsRoute = createRoute({ getParentRoute: () => signedIn, path: '/people/lists' }).lazy(() =>
  import('../features/people/lists-page.tsx').then(({ page }) => page),
);

const listRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/people/lists/$id',
  validateSearch: texts('status', 'as_of'),
}).lazy(() => import('../features/people/list-page.tsx').then(({ page }) => page));

const segmentsRoute = createRoute({ getParentRoute: () => signedIn, path: '/people/segments' }).lazy(() =>
  import('../features/people/segments-page.tsx').then(({ page }) => page),
);

const segmentRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/people/segments/$id',
  validateSearch: texts('as_of'),
}).lazy(() => import('../features/people/segment-page.tsx').then(({ page }) => page));

const fieldsRoute = createRoute({ getParentRoute: () => signedIn, path: '/people/fields' }).lazy(() =>
  import('../features/people/fields-page.tsx').then(({ page }) => page),
);

const peopleRoutes = [contactsRoute, contactRoute, listsRoute, listRoute, segmentsRoute, segmentRoute, fieldsRoute] as const;

/** Any other address: said within the frame, so that the menu leads on. */
const otherRoute = createRoute({ getParentRoute: () => signedIn, path: '$', component: PageMissing });

const developersRoutes = [
  createRoute({ getParentRoute: () => signedIn, path: '/developers', beforeLoad: () => leadTo('/developers/keys') }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/developers/keys',
    validateSearch: texts('create'),
  }).lazy(() => import('../features/developers/keys-page.tsx').then(({ page }) => page)),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/developers/webhooks',
    validateSearch: texts('create'),
  }).lazy(() => import('../features/developers/webhooks-page.tsx').then(({ page }) => page)),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/developers/webhooks/$id',
    validateSearch: texts('status', 'event', 'delivery'),
  }).lazy(() => import('../features/developers/endpoint-page.tsx').then(({ page }) => page)),
] as const;

const settingsRoutes = [
  createRoute({ getParentRoute: () => signedIn, path: '/settings', beforeLoad: () => leadTo('/settings/account') }),
  createRoute({ getParentRoute: () => signedIn, path: '/settings/account' }).lazy(() =>
    import('../features/settings/account-page.tsx').then(({ page }) => page),
  ),
  createRoute({ getParentRoute: () => signedIn, path: '/settings/branding' }).lazy(() =>
    import('../features/settings/branding-page.tsx').then(({ page }) => page),
  ),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/settings/users',
    validateSearch: texts('create'),
  }).lazy(() => import('../features/settings/users-page.tsx').then(({ page }) => page)),
  createRoute({ getParentRoute: () => signedIn, path: '/settings/security' }).lazy(() =>
    import('../features/settings/security-page.tsx').then(({ page }) => page),
  ),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/settings/activity',
    validateSearch: texts('user_id', 'key_id', 'action', 'resource_kind', 'resource_id', 'created_after', 'created_before', 'entry'),
  }).lazy(() => import('../features/settings/activity-page.tsx').then(({ page }) => page)),
] as const;

/** The parts in all their states; only while the dashboard is developed, or if it is built with `VITE_GALLERY=1`. */
const galleryRoutes =
  import.meta.env.DEV || import.meta.env.VITE_GALLERY
    ? [
        createRoute({ getParentRoute: () => root, path: '/gallery' }).lazy(() =>
          import('../features/gallery/gallery-page.tsx').then(({ page }) => page),
        ),
      ]
    : [];

const routes = root.addChildren([
  signInRoute,
  forgotPasswordRoute,
  resetRoute,
  invitationRoute,
  ...galleryRoutes,
  signedIn.addChildren([otherRoute, overviewRoute, ...messageRoutes, ...consentRoutes, ...peopleRoutes, ...developersRoutes, ...settingsRoutes]),
]);

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
