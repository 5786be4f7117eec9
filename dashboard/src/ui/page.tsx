import { type ReactNode, useEffect } from 'react';
import styles from './page.module.css';

interface PageProps {
  /** The heading, and the title of the tab. */
  readonly title: string;
  /** One line below the heading. */
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page: its one `h1`, what can be done, and its content. */
export function Page({ title, about, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Heliograph`;
  }, [title]);
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <div className={styles.words}>
          <h1>{title}</h1>
          {about && <p className={styles.about}>{about}</p>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

interface PanelProps {
  readonly title?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a page with a frame and a heading. */
export const Panel = ({ title, actions, children }: PanelProps) => (
  <section className={styles.panel}>
    {(title || actions) && (
      <header className={styles.panelHeader}>
        {title && <h2>{title}</h2>}
        {actions}
      </header>
    )}
    {children}
  </section>
);
