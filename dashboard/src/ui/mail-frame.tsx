import { Plural } from '@lingui/react/macro';
import { ImageOff } from 'lucide-react';
import { useMemo } from 'react';
import { shownMail } from './mail.ts';
import styles from './mail-frame.module.css';

interface MailFrameProps {
  readonly html: string;
  /** What is in the frame, for who cannot see it. */
  readonly title: string;
}

/** A mail as its reader sees it, in a frame that can run nothing, reach nobody and lead nowhere; below it where its links lead. */
export function MailFrame({ html, title }: MailFrameProps) {
  const { document, links, remoteImages } = useMemo(() => shownMail(html), [html]);
  return (
    <div className={styles.mail}>
      {remoteImages > 0 && (
        <p className={styles.note}>
          <ImageOff aria-hidden size={16} />
          <span>
            <Plural
              value={remoteImages}
              one="One picture of another host is not loaded: such pictures often tell the sender who has opened the mail, and when."
              other="# pictures of other hosts are not loaded: such pictures often tell the sender who has opened the mail, and when."
            />
          </span>
        </p>
      )}
      <iframe className={styles.frame} sandbox="" srcDoc={document} title={title} referrerPolicy="no-referrer" />
      {links.length > 0 && (
        <details>
          <summary>
            <Plural value={links.length} one="One link" other="# links" />
          </summary>
          <ul className={styles.links}>
            {links.map((link) => (
              <li key={link}>
                <code>{link}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
