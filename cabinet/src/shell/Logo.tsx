export function Logo() {
  return (
    <svg aria-hidden viewBox="0 0 32 32" width="24" height="24">
      <rect width="32" height="32" rx="8" fill="#4f46e5" />
      <path
        d="M9 23 16 8l7 15M12 18h8"
        fill="none"
        stroke="#fff"
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
