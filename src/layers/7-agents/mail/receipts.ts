/** Receipts of messages between the agents of a session: each is a record of the transcript before its sender is told. */

import type { AgentMessageRecord } from '../../../disk/transcript/record.ts';
import type { ReceivedMessage } from '../../../mailbox/inbox.ts';
import type { ReceiptState } from '../../../mailbox/outcomes.ts';

/** Messages that are listed. */
const MOST_LISTED = 50;
const LINE_CHARACTERS = 100;

/** One that was sent or came, as it is shown. */
export interface ShownMessage {
  readonly from: string;
  readonly to: string;
  readonly summary: string;
  /** The whole of it. */
  readonly message: string;
  readonly at: string;
  /** What became of it by now. */
  readonly state: ReceiptState;
}

export interface ReceiptPorts {
  readonly now: () => Date;
  readonly onMessage: (message: ShownMessage) => void;
  /** Into the transcript of the session. */
  readonly record: (record: AgentMessageRecord) => void;
  /** Once what was recorded is on the disk. */
  readonly recorded: () => Promise<void>;
}

/** One message of the list, whose state others change as they learn it. */
export interface Receipt {
  /** Asked when the list is shown, where another process knows. */
  state: ReceiptState | (() => ReceiptState);
}

export function createReceipts(ports: ReceiptPorts) {
  const listed: (Receipt & { readonly shown: Omit<ShownMessage, 'state'> })[] = [];
  const stateOf = ({ state }: Receipt) => (typeof state === 'function' ? state() : state);

  function list({ from, message, summary, at }: ReceivedMessage, to: string, state: Receipt['state']) {
    const receipt = { shown: { from, to, summary: summary ?? firstLine(message), message, at }, state };
    listed.push(receipt);
    if (listed.length > MOST_LISTED) listed.shift();
    return receipt;
  }

  return {
    /** Without telling whoever looks on: an earlier process of the session did. */
    list: (message: ReceivedMessage, to: string): Receipt => list(message, to, 'queued'),
    show(message: ReceivedMessage, to: string, state: Receipt['state']): Receipt {
      const receipt = list(message, to, state);
      ports.onMessage({ ...receipt.shown, state: stateOf(receipt) });
      return receipt;
    },
    recent: (): readonly ShownMessage[] => listed.map((each) => ({ ...each.shown, state: stateOf(each) })),
    note(id: string, event: AgentMessageRecord['event'], queued?: AgentMessageRecord['queued']): void {
      const more = queued === undefined ? {} : { queued };
      ports.record({ type: 'agent-message', at: ports.now().toISOString(), id, event, ...more });
    },
    recorded: ports.recorded,
  };
}

function firstLine(text: string): string {
  const line = text.trim().split('\n')[0] ?? '';
  return line.length <= LINE_CHARACTERS ? line : `${line.slice(0, LINE_CHARACTERS - 1)}…`;
}
