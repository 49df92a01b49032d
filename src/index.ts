/** The public surface of the package. */

export type { AgentEvent, RetryReason, TurnOutcome } from './agent/event.ts';
export type { PermissionMode } from './agent/permission.ts';
export type { PermissionAnswer, PermissionQuestion } from './agent/permissions/permissions.ts';
export { type CommandVerdict, checkCommand } from './agent/read-only-shell/check-command.ts';
export type { Tool, ToolInput, ToolResult, ToolRun } from './agent/tool.ts';
export type { Entry, Injection, StopReason } from './conversation/entry.ts';
export type { ContentBlock, Message, Usage } from './conversation/message.ts';
export { type ErrorCode, ReverieError } from './errors.ts';
export { type MiddlewareOptions, type ReverieMiddleware, reverieMiddleware } from './hosts/ai-sdk-middleware.ts';
export type { MemoryToolCommand } from './hosts/anthropic-memory-command.ts';
export { type MemoryTool, memoryTool } from './hosts/anthropic-memory-tool.ts';
export {
  checkWrite,
  type ExistingMemory,
  type GateDecision,
  type GatedMemory,
  type GatePorts,
  type ProposedMemory,
  type SpanMessage,
  type WriteFacts,
} from './memory/gate/index.ts';
export type { Quote } from './memory/quote.ts';
export type { MemoryScope, MemorySource, MemoryType } from './memory/taxonomy.ts';
export { type AiSdkLanguageModel, type AiSdkOptions, aiSdkModel } from './model/ai-sdk.ts';
export { type AnthropicOptions, anthropicModel } from './model/anthropic.ts';
export type { Model, ModelCapabilities, ModelEvent, ModelRequest, ModelResponse } from './model/model.ts';
export { type ScriptedModel, type ScriptStep, scriptedModel } from './model/scripted.ts';
export type { Embedder } from './recall/local-index.ts';
export type { Agent, AgentOptions } from './session/agent.ts';
export type { SteerableAgent } from './session/agent-steering.ts';
export { type Exported, exportMemories } from './session/export-memories.ts';
export type { FlagAnswer, Flags } from './session/flags.ts';
export { createSession } from './session/host-load.ts';
export type {
  HostMessage,
  HostRequest,
  HostResponse,
  HostUsage,
  Session,
  SessionOptions,
  SessionStats,
  Summarise,
  SummaryRequest,
} from './session/host-session.ts';
export type { SessionState } from './session/host-state.ts';
export { type ImportRequest, type ImportResult, importMemories } from './session/import-memories.ts';
export { openAgent } from './session/load-agent.ts';
export type {
  ChangeOptions,
  FileDiff,
  FolderEntry,
  LogEntry,
  Memory,
  MemoryChanges,
  MemoryEntry,
  MemoryFiles,
  MemoryHeader,
  MemoryOrigin,
  NoticedEdit,
  PlannedChange,
  PlannedFile,
  Purged,
  Recalled,
  RecallOptions,
  Saved,
  SaveRequest,
} from './session/memory.ts';
export { type OpenMemoryOptions, openMemory } from './session/open-memory.ts';
export { checkInside } from './store/check-inside.ts';
export { checkMemoryRoot, type Verdict } from './store/check-root.ts';
export type { SwitchName } from './store/settings.ts';
