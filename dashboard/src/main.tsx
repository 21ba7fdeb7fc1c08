import './ui/base.css';
import './ui/controls.css';
import './ui/fields/forms.css';
import './ui/surfaces.css';
import './ui/data/data.css';
import './ui/overlays/overlays.css';
import './app/shell.css';
import './ui/print.css';
import { router } from './app/router.tsx';
import { showApp } from './app/show-app.tsx';

showApp(router);
