export function isBuilt(root: string): boolean;
export function markBuilt(root: string, begun: Date): void;
