export function playTeam(
  messages: readonly unknown[],
  watch?: { readonly onClaim?: (name: string, task: string) => void },
): { readonly text: string } | { readonly tool: string; readonly input: Record<string, unknown> };
