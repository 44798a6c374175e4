#pragma once
// Files that appear whole or not at all.

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace equipoise {

/// A file under construction: text goes to a nameless file in the same directory, which gets its
/// name on `commit`. Readers of the path see the old contents or the new ones, never a part, and
/// nothing remains of a file that was never committed, even if the process is killed. On a file
/// system without nameless files a temporary file, `PATH.part-...`, is written instead; a killed
/// process leaves it behind unless its signal handler calls `remove_unfinished_files`.
///
/// A symbolic link is followed, the permissions of an existing file are kept; something that is not
/// a regular file (a terminal, a pipe, /dev/null) is written directly.
///
/// ```
/// AtomicFile file(path);
/// file.write("node,tokens\n");
/// file.commit();
/// ```
class AtomicFile {
  public:
    /// Throws InputError naming the path and the system's reason when it cannot be written.
    explicit AtomicFile(std::string path);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    /// Appends text (buffered). Throws InputError when the system refuses.
    void write(std::string_view text);
    /// All text is written: it stands in a file that lacks no more than its name and that holds no
    /// descriptor. Throws InputError when the system refuses, and then leaves nothing behind.
    void finish();
    /// Removes what bears the name so far, so that nothing does until the commit. Something that is
    /// not a regular file stays.
    void withdraw();
    /// Finishes the file and gives it its name. Throws InputError when the system refuses, and then
    /// leaves nothing behind. From then on the file survives the end of the process, though not a
    /// power failure.
    void commit();

    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    /// The descriptor of a new file in the target's directory, or -1 and errno.
    int open_temporary();
    void remove_temporary();
    [[noreturn]] void fail(int reason);

    std::string path_;       ///< as the caller gave it, for messages
    std::string target_;     ///< after symbolic links
    std::string temporary_;  ///< empty when the target is written directly
    bool named_ = false;     ///< whether `temporary_` exists
    std::FILE* file_ = nullptr;
};

/// Removes the temporary files of this process, which is about to end. Safe in signal handlers: it
/// makes only calls that they may make.
void remove_unfinished_files() noexcept;

/// Whether two paths lead to one file, over links and other spellings, even if it is not there yet.
[[nodiscard]] bool is_same_file(const std::string& one, const std::string& other);

/// Writes a whole file at once through an `AtomicFile`.
void write_file(const std::string& path, std::string_view contents);

/// A file, and what is in it.
using NamedText = std::pair<std::string, std::string>;

/// Writes all files or, where one of them cannot be written, none: none gets its name before all
/// are finished. The last one, which tells of the others, is absent while they change: should the
/// process be killed just then, it tells of no mixture. Throws InputError as AtomicFile.
void write_files(const std::vector<NamedText>& files);

}  // namespace equipoise
