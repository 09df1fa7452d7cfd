;;; Rule files with `rulespec lsp', for Emacs 28 and later with Eglot.  -*- lexical-binding: t -*-
(require 'eglot)

(defun rulespec-file-p ()
  "Return whether the buffer is a YAML file with a top-level key `rulespec'."
  (and buffer-file-name
       (string-match-p "\\.ya?ml\\'" buffer-file-name)
       (save-excursion (re-search-forward "^rulespec:" nil t))))

(define-derived-mode rulespec-mode conf-colon-mode "Rulespec"
  "Rule files of board games."
  (setq-local indent-tabs-mode nil
              tab-width 2
              comment-start "# "))

(add-to-list 'magic-mode-alist '(rulespec-file-p . rulespec-mode))
(add-to-list 'eglot-server-programs '(rulespec-mode . ("rulespec" "lsp")))
(add-hook 'rulespec-mode-hook #'eglot-ensure)

;; the games that came with rulespec are for reading
(defun rulespec-protect-games ()
  "Make the buffer read-only if it shows a game that came with rulespec."
  (when (string-match-p "-packages/rulespec/games/" buffer-file-name)
    (read-only-mode 1)))
(add-hook 'find-file-hook #'rulespec-protect-games)
