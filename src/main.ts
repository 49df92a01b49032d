#!/usr/bin/env node
/** The binary: hands the command line to the surface that is asked for, and loads no other. */

import { COMMANDS } from './cli/catalog.ts';
import { runProcess } from './cli/run-process.ts';

await runProcess(process, COMMANDS);
