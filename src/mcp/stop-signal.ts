/** One signal for every way a person or a client ends a server. */

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export function stopSignal(target: Pick<NodeJS.Process, 'once'>): AbortSignal {
  const controller = new AbortController();
  for (const name of SIGNALS) target.once(name, () => controller.abort());
  return controller.signal;
}
