/**
 * A filter of system calls for what no namespace keeps apart: sockets to the host of a virtual machine (vsock) and other rare families,
 * the kernel's key rings, and calls that are there for debugging the system or that would get around this filter.
 */

/** Sockets within the machine and of the sandbox's own, empty network. */
const FAMILIES = { unix: 1, internet: 2, internet6: 10, netlink: 16 };
const [NO_SUCH_FAMILY, NO_SUCH_CALL] = [97, 38];

interface Machine {
  /** As the kernel calls it in what a filter sees. */
  readonly name: number;
  readonly socket: number;
  readonly refused: readonly number[];
  /** From this number on they are calls of another kind of program, which the filter does not know. */
  readonly firstForeign: number | null;
}

/** add_key, request_key, keyctl, bpf, perf_event_open, userfaultfd; then io_uring, whose work is done past any filter. */
const MACHINES: Readonly<Partial<Record<NodeJS.Architecture, Machine>>> = {
  x64: {
    ...{ name: 0xc000003e, socket: 41, firstForeign: 0x40000000 },
    refused: [248, 249, 250, 321, 298, 323, 425, 426, 427],
  },
  arm64: {
    ...{ name: 0xc00000b7, socket: 198, firstForeign: null },
    refused: [217, 218, 219, 280, 241, 282, 425, 426, 427],
  },
};

/** Codes of the kernel's packet filter. */
const [LOAD, IF_EQUAL, IF_AT_LEAST, RETURN] = [0x20, 0x15, 0x35, 0x06];
const [AT_CALL, AT_MACHINE, AT_FIRST_ARGUMENT] = [0, 4, 16];
const ALLOW = 0x7fff0000;
const refusal = (error: number) => 0x00050000 | error;

interface Step {
  readonly code: number;
  readonly value: number;
  /** Steps that are skipped where a test holds, and where it does not. */
  readonly skipIf?: number;
  readonly skipElse?: number;
}

/** As bubblewrap reads it; null for machines whose numbers are not known here. */
export function systemCallFilter(architecture: NodeJS.Architecture): Buffer | null {
  const machine = MACHINES[architecture];
  if (machine === undefined) return null;
  const stop = (error: number): Step => ({ code: RETURN, value: refusal(error) });
  const allowed = Object.values(FAMILIES);
  const steps: readonly Step[] = [
    { code: LOAD, value: AT_MACHINE },
    { code: IF_EQUAL, value: machine.name, skipIf: 1 },
    stop(NO_SUCH_CALL),
    { code: LOAD, value: AT_CALL },
    ...(machine.firstForeign === null
      ? []
      : [{ code: IF_AT_LEAST, value: machine.firstForeign, skipElse: 1 }, stop(NO_SUCH_CALL)]),
    ...machine.refused.flatMap((call) => [{ code: IF_EQUAL, value: call, skipElse: 1 }, stop(NO_SUCH_CALL)]),
    { code: IF_EQUAL, value: machine.socket, skipElse: allowed.length + 2 },
    { code: LOAD, value: AT_FIRST_ARGUMENT },
    ...allowed.map((family, position) => ({ code: IF_EQUAL, value: family, skipIf: allowed.length - position })),
    stop(NO_SUCH_FAMILY),
    { code: RETURN, value: ALLOW },
  ];
  return Buffer.concat(steps.map(encoded));
}

function encoded({ code, value, skipIf = 0, skipElse = 0 }: Step): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(skipIf, 2);
  bytes.writeUInt8(skipElse, 3);
  bytes.writeUInt32LE(value >>> 0, 4);
  return bytes;
}
