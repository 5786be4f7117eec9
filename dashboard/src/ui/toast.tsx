import { lazy, Suspense } from 'react';
import { UNSTABLE_ToastQueue as AriaToastQueue } from 'react-aria-components';

interface ToastContent {
  readonly message: string;
  readonly tone?: 'success' | 'danger';
  /** What takes the change back, if the log can. */
  readonly undo?: () => void;
}

/** Milliseconds that a note stays; one with an Undo stays as long as the service takes it back. */
const STAYS = 6_000;
const STAYS_WITH_UNDO = 30_000;

/** What waits to be shown. */
export const queue = new AriaToastQueue<ToastContent>({ maxVisibleToasts: 3 });

/** Tells, for some seconds, that something was done. */
export const toast = (content: ToastContent): void => {
  queue.add(content, { timeout: content.undo ? STAYS_WITH_UNDO : STAYS });
};

const Region = lazy(() => import('./toast-region.tsx').then((module) => ({ default: module.ToastRegion })));

/** Where notes appear. Once in the application; loaded after the page. */
export const ToastRegion = () => (
  <Suspense>
    <Region />
  </Suspense>
);
