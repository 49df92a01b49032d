/** Where the page begins. */

import { render } from 'preact';
import { connect } from './answers.ts';
import { Page } from './shell.tsx';
import './style.css';

connect();
render(<Page />, document.getElementById('page')!);
