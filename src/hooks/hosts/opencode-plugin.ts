/** The plugin file for opencode: hands its events to `reverie hook` and puts the answers where the model reads them. */

import { LEARNING_MARK } from './learning-mark.ts';
import { JOINED_MESSAGE, QUOTED_MESSAGE } from './opencode-run.ts';

export const PLUGIN_MARK =
  '// Written by `reverie install opencode`; `reverie install opencode --uninstall` removes it.';

/** Plain JavaScript without imports of opencode's, so that it loads before any package is installed. */
export function pluginText(command: readonly string[], hookArguments: readonly string[], seesEdits = false): string {
  return `${PLUGIN_MARK}
import { spawn } from "node:child_process"

const COMMAND = ${JSON.stringify(command)}
const HOOK_ARGUMENTS = ${JSON.stringify(hookArguments)}
const LONGEST_MS = 5000
/** The tools whose results are reported, by the names that the hook knows. */
const TOOLS = ${JSON.stringify({ read: 'Read', bash: 'Bash', ...(seesEdits ? { edit: 'Edit', write: 'Write' } : {}) })}

/** The answer's text for the model, or null: whatever fails, opencode goes on. */
function callHook(event, payload) {
  return new Promise((resolve) => {
    try {
      const [program, ...rest] = COMMAND
      const child = spawn(program, [...rest, "hook", "opencode", event, ...HOOK_ARGUMENTS], {
        stdio: ["pipe", "pipe", "ignore"],
        cwd: payload.cwd,
      })
      const timer = setTimeout(() => child.kill("SIGKILL"), LONGEST_MS)
      let output = ""
      child.stdout.on("data", (chunk) => (output += chunk))
      child.on("error", () => resolve(null))
      child.stdin.on("error", () => {})
      child.on("close", () => {
        clearTimeout(timer)
        try {
          resolve(JSON.parse(output).context ?? null)
        } catch {
          resolve(null)
        }
      })
      child.stdin.end(JSON.stringify({ ...payload, hook_event_name: event }))
    } catch {
      resolve(null)
    }
  })
}

/** What was piped in stands behind a blank line: a hook takes the first paragraph for what the user typed. */
function promptOf(text) {
  const quoted = ${QUOTED_MESSAGE}.exec(text)
  const joined = quoted || !process.argv.includes("run") ? null : ${JOINED_MESSAGE}.exec(text)
  const [, typed, piped = ""] = quoted ?? joined ?? [text, text]
  return ((quoted ? typed.replaceAll('\\\\"', '"') : typed) + "\\n\\n" + piped).trim()
}

let counter = 0
function partId() {
  counter += 1
  return "prt_" + Date.now().toString(16).padStart(12, "0") + counter.toString(16).padStart(4, "0") + "reverie"
}

export const Reverie = async ({ directory, client }) => {
  // Started by Reverie itself, to ask a question.
  if (process.env.${LEARNING_MARK}) return {}
  /** Sessions of this process that something was said in. */
  const seen = new Set()
  /** Sessions that began in this process and were told nothing yet. */
  const created = new Set()
  /** Sessions that were told of their memory by this process, or before it. */
  const started = new Set()
  /** Sessions whose context was searched for the index: a compaction may leave it there. */
  const looked = new Set()
  /** In a context that has lost it: what its turn goes on with, until a message or a result brings the index for good. */
  const bridges = new Map()
  const children = new Set()
  const base = (sessionID) => ({ session_id: sessionID, cwd: directory })

  /** A sub-agent's session has a parent, and no memory. */
  async function isChild(sessionID) {
    if (children.has(sessionID)) return true
    if (started.has(sessionID)) return false
    try {
      const answer = await client.session.get({ path: { id: sessionID } })
      if (answer?.data?.parentID) children.add(sessionID)
    } catch {}
    return children.has(sessionID)
  }

  return {
    "chat.message": async (input, output) => {
      const { sessionID } = input
      if (await isChild(sessionID)) return
      const contexts = []
      seen.add(sessionID)
      const bridge = await bridges.get(sessionID)
      bridges.delete(sessionID)
      // Without an index, as where memory is off, there is nothing to look for.
      if (bridge) looked.delete(sessionID)
      if (!started.has(sessionID)) {
        started.add(sessionID)
        // Whether it still holds what it was told, the hook knows: a session goes on in another process.
        const source = created.delete(sessionID) ? "startup" : "resume"
        contexts.push(await callHook("SessionStart", { ...base(sessionID), source }))
      }
      const typed = output.parts.filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text)
      const prompt = promptOf(typed.join("\\n"))
      if (prompt !== "") contexts.push(await callHook("UserPromptSubmit", { ...base(sessionID), prompt }))
      for (const text of contexts) {
        if (!text) continue
        output.parts.push({ id: partId(), sessionID, messageID: output.message.id, type: "text", synthetic: true, text })
      }
    },
    "tool.execute.after": async (input, output) => {
      const { sessionID, tool } = input
      const name = TOOLS[tool]
      if (name === undefined || (await isChild(sessionID))) return
      const args = input.args ?? output.metadata?.args ?? {}
      const exit = output.metadata?.exit
      const context = await callHook("PostToolUse", {
        ...base(sessionID),
        tool_name: name,
        tool_input: { file_path: args.filePath ?? output.title, command: args.command },
        tool_response: { stdout: output.output, ...(typeof exit === "number" ? { exit_code: exit } : {}) },
      })
      if (context?.includes("<reverie-memory>")) bridges.delete(sessionID)
      if (context) output.output += "\\n\\n" + context
    },
    "experimental.chat.messages.transform": async (_input, output) => {
      const last = output.messages?.findLast?.((message) => message.info?.role === "user")
      const sessionID = last?.info?.sessionID
      if (!sessionID || (await isChild(sessionID))) return
      if (!looked.has(sessionID)) {
        looked.add(sessionID)
        if (!output.messages.some(({ parts }) => JSON.stringify(parts).includes("<reverie-memory>"))) {
          started.delete(sessionID)
          bridges.set(sessionID, callHook("PostCompact", base(sessionID)))
        }
      }
      const text = await bridges.get(sessionID)
      if (text) last.parts.push({ id: partId(), sessionID, messageID: last.info.id, type: "text", synthetic: true, text })
    },
    "experimental.session.compacting": async (input) => {
      await callHook("PreCompact", base(input.sessionID))
    },
    event: async ({ event }) => {
      const sessionID = event.properties?.sessionID ?? event.properties?.info?.id
      if (!sessionID || children.has(sessionID)) return
      if (event.type === "session.created") created.add(sessionID)
      if (event.type === "session.compacted") {
        started.delete(sessionID)
        looked.delete(sessionID)
      }
      if (event.type === "session.idle") await callHook("Stop", base(sessionID))
      if (event.type === "session.deleted") {
        seen.delete(sessionID)
        created.delete(sessionID)
        await callHook("SessionEnd", base(sessionID))
      }
    },
    // opencode has no event for the end of a session: sessions end with the process.
    dispose: async () => {
      await Promise.all([...seen].map((sessionID) => callHook("SessionEnd", base(sessionID))))
      seen.clear()
    },
  }
}
`;
}
