import './ui/tokens.css';
import './ui/base.css';
import { createRoot } from 'react-dom/client';
import { Application } from './app/application.tsx';
import { applyTheme } from './ui/theme.ts';

applyTheme();
const root = document.getElementById('root');
if (root) createRoot(root).render(<Application />);
