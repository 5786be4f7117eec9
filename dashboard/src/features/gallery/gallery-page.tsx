import { createLazyRoute } from '@tanstack/react-router';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { useTheme } from '../../ui/theme.ts';
import { Basics } from './basics.tsx';
import { Fields } from './fields.tsx';
import { Overlays } from './overlays.tsx';
import { Shown } from './shown.tsx';
import { Tables } from './tables.tsx';

/** Every part in all its states. For development: its texts are not translated. */
function GalleryPage() {
  const [theme, setTheme] = useTheme();
  return (
    <main>
      <Page
        title="Gallery"
        about="Every part in all its states."
        actions={<Button onPress={() => setTheme(theme === 'dark' ? 'light' : 'dark')}>{theme === 'dark' ? 'Light' : 'Dark'}</Button>}
      >
        <Basics />
        <Fields />
        <Overlays />
        <Shown />
        <Tables />
      </Page>
    </main>
  );
}

export const page = createLazyRoute('/gallery')({ component: GalleryPage });
